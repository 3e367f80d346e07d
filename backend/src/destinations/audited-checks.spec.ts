import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aDestination, anOrganization, expectStatus, type Organization } from '../../test/factories.js';

let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
  warehouse = await startWarehouse();
  organization = await anOrganization(app);
});
afterAll(async () => {
  await app?.stop();
  await warehouse?.stop();
});

const checks = () =>
  app.database.query(
    `select actor_id, target_id, after from audit_events where organization_id = $1 and action = 'destination.checked' order by id`,
    [organization.id],
  );

it('audits every check with its target and result and without secrets', async () => {
  const { call, path, owner } = organization;
  const settings = { host: '127.0.0.1', port: 1, database: 'd', user: 'u', sslMode: 'disable' };
  const body = { provider: 'postgresql', settings, credentials: { password: 'very-secret' } };
  expectStatus(await call.post(`${path}/destinations/check`, body), 200);
  expectStatus(await call.post(`${path}/destinations`, { ...body, name: 'Nowhere' }), 422);
  const destinationId = await aDestination(organization, warehouse);
  expectStatus(await call.post(`${path}/destinations/${destinationId}/check`), 200);
  const trail = await checks();
  const nowhere = { settings: { host: '127.0.0.1', port: 1, user: 'u' }, isPassed: false, failedItem: 'connects' };
  expect(trail).toMatchObject([
    { actor_id: owner.uid, target_id: null, after: nowhere },
    { actor_id: owner.uid, target_id: null, after: nowhere },
    { actor_id: owner.uid, target_id: null, after: { isPassed: true, failedItem: null } },
    { actor_id: owner.uid, target_id: destinationId, after: { isPassed: true, failedItem: null } },
  ]);
  expect(JSON.stringify(trail)).not.toContain('very-secret');
});

it('audits a check that connected to detect TLS, even if its credentials are missing or for another server', async () => {
  const { call, path } = organization;
  const destinationId = await aDestination(organization, warehouse);
  const before = (await checks()).length;
  const settings = { host: '127.0.0.1', port: 1, database: 'd', user: 'u', sslMode: 'automatic' };
  expectStatus(await call.post(`${path}/destinations/check`, { provider: 'postgresql', settings }), 400);
  expectStatus(await call.post(`${path}/destinations/check`, { provider: 'postgresql', settings, destinationId }), 422);
  const after = { settings: { host: '127.0.0.1', port: 1 }, isPassed: false, failedItem: 'credentials' };
  expect((await checks()).slice(before)).toMatchObject([
    { target_id: null, after },
    { target_id: destinationId, after },
  ]);
});
