import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { aConnectedApp, anOrganization, expectStatus, type Organization } from '../../test/factories.js';
import { PurgeDeletedOrganizations } from '../organizations/deletion/purge-deleted-organizations.js';

let sandbox: Sandbox;
let app: TestApp;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});

async function purge(organization: Organization): Promise<void> {
  expectStatus(await organization.call.delete(`${organization.path}?confirmName=Northwind`), 204);
  await app.database.query(`update organizations set deleted_at = now() - interval '31 days' where id = $1`, [organization.id]);
  await app.get(PurgeDeletedOrganizations).purge();
  expect(await app.database.query('select 1 from apps where organization_id = $1', [organization.id])).toEqual([]);
}
const revocations = async (): Promise<number> =>
  (await sandbox.requests()).filter(({ path }) => path?.includes('/oauth/revoke')).length;

it('a purge revokes the grants of an organization, unless another organization uses a grant of the same user', async () => {
  const [first, second] = [await anOrganization(app), await anOrganization(app)];
  await aConnectedApp(first);
  await aConnectedApp(first);
  const survivor = await aConnectedApp(second);
  await purge(first);
  expect(await revocations()).toBe(0);
  expect(await second.call.post(`${second.path}/apps/${survivor}/probe`)).toMatchObject({ body: { state: 'connected' } });
  await aConnectedApp(second);
  await purge(second);
  expect(await revocations()).toBe(1);
});
