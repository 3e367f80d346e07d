import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, type Connection, expectStatus, type Organization } from '../../test/factories.js';
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
  environment['organization'] = `${app.url}${organization.path}`;
  environment['authorization'] = `Authorization: Bearer ${environment['TRIBUTARY_API_KEY']}`;
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

describe('the documented step before dbt', () => {
  const [, check = ''] = blocks('sh');
  const script = `dbt() { echo "$1"; }\n${check}`;
  const yesterday = addDays(new Date().toISOString().slice(0, 10), -1);

  it('fails with what is missing of yesterday, although earlier days are complete', async () => {
    await load(addDays(yesterday, -20), addDays(yesterday, -1));
    const missing = await run(script);
    expect(missing).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse(missing.error)).toMatchObject({
      day: yesterday,
      isComplete: false,
      missing: expect.arrayContaining([expect.objectContaining({ stream: 'campaign_daily' })]),
    });
  });

  it('lets dbt build when yesterday is complete', async () => {
    const berlin = await aStoredConnection(app, organization, [BERLIN], { historyFrom: '2026-11-01', name: 'Berlin' });
    environment['CONNECTION_ID'] = berlin.id;
    const days = listDays(addDays(yesterday, -20), yesterday);
    await readDays(app, berlin, { accountId: BERLIN.id, days, readAt: new Date().toISOString() });
    expect(await run(script)).toEqual({ code: 0, out: 'build\n', error: '' });
  });

  it('fails with the error of the API', async () => {
    environment['authorization'] = 'Authorization: Bearer trb_unknown';
    const rejected = await run(script);
    expect(rejected).toMatchObject({ code: 1, out: '' });
    expect(rejected.error).toMatch(/auth\./);
  });
});

it('the documented DAG gets the day before its run from Airflow 3', () => {
  const [dag = ''] = blocks('python');
  expect(dag).toContain('schedule=CronDataIntervalTimetable(');
  expect(dag).toContain('yesterday = data_interval_start.date()');
});

it('the documented call with an unknown key fails', async () => {
  environment['authorization'] = 'Authorization: Bearer trb_unknown';
  const [call = ''] = blocks('sh');
  expect((await run(call)).code).not.toBe(0);
});
