import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, type Connection, daysAgo, expectStatus, type Organization } from '../../test/factories.js';
import { aStoredConnection, BERLIN, LOS_ANGELES, readDays } from '../../test/freshness.js';
import { addDays, listDays } from '../connectors/kit/days.js';

const execute = promisify(execFile);
const guide = readFileSync(path.resolve(import.meta.dirname, '../../../docs/freshness.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

let app: TestApp;
let organization: Organization;
let connection: Connection;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  connection = await aStoredConnection(app, organization, [BERLIN, LOS_ANGELES], {
    historyFrom: '2026-11-01',
    name: 'Search to warehouse',
  });
  const made = await organization.call.post<{ key: string }>(`${organization.path}/api-keys`, {
    name: 'Airflow',
    role: 'viewer',
  });
  environment = {
    ...process.env,
    TRIBUTARY_URL: app.url,
    TRIBUTARY_API_KEY: expectStatus(made, 201).body.key,
    ORGANIZATION_ID: organization.id,
    CONNECTION_ID: connection.id,
  };
});

/** Exit code and output of a documented script. */
async function run(script: string): Promise<{ code: number; out: string; error: string }> {
  try {
    const { stdout, stderr } = await execute('sh', ['-c', script], { env: environment });
    return { code: 0, out: stdout, error: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, error: stderr };
  }
}
const load = async (from: string, to: string, accounts = [BERLIN, LOS_ANGELES]) => {
  for (const { id: accountId } of accounts)
    await readDays(app, connection, { accountId, days: listDays(from, to), readAt: new Date().toISOString() });
};

it('the documented call answers with the documented JSON', async () => {
  const freshnessTarget = { atTime: '10:00', timeZone: 'Europe/Berlin' };
  expectStatus(await organization.call.patch(connection.path, { freshnessTarget, version: 1 }), 200);
  await load('2026-11-01', '2026-11-09');
  await load('2026-11-10', '2026-11-10', [BERLIN]);
  const [call = ''] = blocks('sh');
  const [, documented = ''] = blocks('json');
  const answer = await run(call);
  expect(answer).toMatchObject({ code: 0, error: '' });
  expect(JSON.parse(answer.out)).toEqual({
    ...(JSON.parse(documented) as object),
    connectionId: connection.id,
    asOf: expect.any(String),
  });
});

it('the documented step before dbt fails with what is missing, and lets dbt build when yesterday is complete', async () => {
  const [, check = ''] = blocks('sh');
  const script = `dbt() { echo "$1"; }\n${check}`;
  const missing = await run(script);
  expect(missing).toMatchObject({ code: 1, out: '' });
  expect(missing.error).toMatch(/^\d{4}-\d\d-\d\d 2 of 2 account-days of .* are missing: campaign_daily of /);
  await load(addDays(daysAgo(0), -20), daysAgo(0));
  expect(await run(script)).toEqual({ code: 0, out: 'build\n', error: '' });
});

it('the documented call with an unknown key fails', async () => {
  environment['TRIBUTARY_API_KEY'] = 'trb_unknown';
  const [call = ''] = blocks('sh');
  expect((await run(call)).code).not.toBe(0);
});
