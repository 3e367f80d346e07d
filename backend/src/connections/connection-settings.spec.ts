import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aConnection, anOrganization, expectStatus, type Organization } from '../../test/factories.js';
import type { ConnectionEntry } from './connections.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
let path: string;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ...sandboxSettings(sandbox.url) });
  organization = await anOrganization(app);
  ({ path } = await aConnection(organization, warehouse));
  await patch({ schedule: { kind: 'interval', everyMinutes: 60, timeZone: 'UTC' } });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const get = async () => (await organization.call.get<ConnectionEntry>(path)).body;
const patch = async (change: object) => {
  const { version } = await get();
  return expectStatus(await organization.call.patch<ConnectionEntry>(path, { ...change, version }), 200).body;
};

it('keeps the next run when settings are saved with an unchanged schedule', async () => {
  const { schedule, nextRunAt } = await get();
  // The settings page sends all of its fields.
  expect(await patch({ name: 'Renamed', schedule })).toMatchObject({ name: 'Renamed', nextRunAt });
  expect(await patch({ schedule: { timeZone: 'UTC', everyMinutes: 60, kind: 'interval' } })).toMatchObject({ nextRunAt });
});

it('plans the next run again when the schedule changes', async () => {
  const { nextRunAt } = await get();
  const changed = await patch({ schedule: { kind: 'interval', everyMinutes: 360, timeZone: 'UTC' } });
  expect(Date.parse(changed.nextRunAt ?? '')).toBeGreaterThan(Date.parse(nextRunAt ?? ''));
  expect(await patch({ schedule: { kind: 'manual', timeZone: 'UTC' } })).toMatchObject({ nextRunAt: null });
});
