import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aConnection, anOrganization, expectStatus } from '../../test/factories.js';
import { ScheduleDue } from './schedule/schedule-due.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;

beforeAll(async () => {
  sandbox = await startSandbox();
  // Without a worker, queued runs stay queued.
  app = await startTestApp(sandboxSettings(sandbox.url));
  warehouse = await startWarehouse();
});
afterAll(async () => {
  await app?.stop();
  await warehouse?.stop();
  await sandbox?.stop();
});

it('a deleted organization starts no runs, and its schedule continues when it is restored', async () => {
  const organization = await anOrganization(app);
  const connection = await aConnection(organization, warehouse);
  const states = async () =>
    (await app.database.query('select state from runs where connection_id = $1 order by queued_at', [connection.id])).map(
      ({ state }) => state as string,
    );
  expect(await states()).toEqual(['queued']);
  expectStatus(await organization.call.delete(`${organization.path}?confirmName=Northwind`), 204);
  expect(await states()).toEqual(['cancelled']);
  await app.database.query(
    `update connections set next_run_at = now() - interval '1 minute', schedule = '{"kind":"interval","everyMinutes":60,"timeZone":"UTC"}'
      where id = $1`,
    [connection.id],
  );
  await app.get(ScheduleDue).startDue();
  expect(await states()).toEqual(['cancelled']);
  expectStatus(await organization.call.post(`${organization.path}/restore`), 200);
  await app.get(ScheduleDue).startDue();
  expect(await states()).toEqual(['cancelled', 'queued']);
});
