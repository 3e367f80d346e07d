import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { WEBHOOK_URL } from '../../test/configuration/scenario.js';
import { anOrganization, expectStatus, type Organization } from '../../test/factories.js';
import type { ConfigurationPlan } from './plan/plan.dto.js';

const execute = promisify(execFile);
const guide = readFileSync(path.resolve(import.meta.dirname, '../../../docs/configuration.md'), 'utf8');
const [, plan = '', apply = ''] = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);

let app: TestApp;
let folder: string;

beforeAll(async () => {
  [app, folder] = await Promise.all([startTestApp(), mkdtemp(path.join(tmpdir(), 'configuration-'))]);
});
afterAll(() => Promise.all([app?.stop(), rm(folder, { recursive: true })]));

async function aKey({ call, path: root }: Organization): Promise<string> {
  return expectStatus(await call.post<{ key: string }>(`${root}/api-keys`, { name: 'Copy', role: 'admin' }), 201).body.key;
}
const webhooksOf = async ({ call, path: root }: Organization): Promise<string[]> =>
  expectStatus(await call.get<{ items: { name: string }[] }>(`${root}/webhook-endpoints`), 200).body.items.map(
    ({ name }) => name,
  );

it('the documented commands plan an import into another organization, and apply it after a pause', async () => {
  const [from, to] = [await anOrganization(app), await anOrganization(app)];
  expectStatus(
    await from.call.post(`${from.path}/webhook-endpoints`, { kind: 'signed', name: 'Incidents', url: WEBHOOK_URL }),
    201,
  );
  const env = {
    ...process.env,
    ...{ FROM_URL: app.url, FROM_ORGANIZATION_ID: from.id, FROM_KEY: await aKey(from) },
    ...{ TO_URL: app.url, TO_ORGANIZATION_ID: to.id, TO_KEY: await aKey(to) },
  };
  // The machine of the tests need not have jq.
  const jq = `jq() { [ "$1" = -r ] && node -p 'JSON.parse(fs.readFileSync("plan.json")).digest'; return 0; }\n`;
  await execute('sh', ['-c', jq + plan], { env, cwd: folder });
  const planned = JSON.parse(await readFile(path.join(folder, 'plan.json'), 'utf8')) as ConfigurationPlan;
  expect(planned.items).toContainEqual(expect.objectContaining({ action: 'create', name: 'Incidents' }));
  expect(await webhooksOf(to)).toEqual([]);
  const applied = await execute('sh', ['-c', jq + apply], { env, cwd: folder });
  expect(JSON.parse(applied.stdout)).toMatchObject({ items: planned.items });
  expect(await webhooksOf(to)).toEqual(['Incidents']);
});
