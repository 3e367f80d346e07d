import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo, expectStatus } from '../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import type { RunPage, RunSummary } from '../../src/sync/api/runs.dto.js';

const UPGRADE = new URL('../../../prisma/migrations/20261128020100_initial_loads_of_known_runs/migration.sql', import.meta.url);

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const runNow = async (connection: string): Promise<RunSummary> => {
  expectStatus(await scenario.organization.call.post<RunSummary>(`${connection}/run`), 202);
  return scenario.endedRun(connection);
};

it('every run is an initial load until one has loaded something', async () => {
  const { path, call } = scenario.organization;
  await scenario.fault('permission', { customerId: googleAds.accounts[0] });
  const connection = await scenario.connect({ historyDays: 3, streams: ['campaign_daily'] });
  expect(await scenario.endedRun(connection)).toMatchObject({ rowsWritten: 0, isInitialLoad: true });

  await sandbox.clearFaults();
  const loaded = await runNow(connection);
  expect(loaded).toMatchObject({ state: 'succeeded', isInitialLoad: true, window: { from: daysAgo(3) } });

  // A lookback window of the whole history: the days are those of the initial load.
  const again = await runNow(connection);
  expect(again).toMatchObject({ state: 'succeeded', isInitialLoad: false, window: { from: daysAgo(3) } });
  const listed = async () =>
    (await call.get<RunPage>(`${path}/runs?connectionId=${connection.split('/').at(-1)}`)).body.items.map(
      ({ isInitialLoad }) => isInitialLoad,
    );
  expect(await listed()).toEqual([false, true, true]);
  expect((await call.get<RunSummary>(`${path}/runs/${again.id}`)).body.isInitialLoad).toBe(false);

  // The days of a reload are chosen.
  const reload = { streams: ['campaign_daily'], from: daysAgo(3), to: daysAgo(1) };
  expect(expectStatus(await call.post<RunSummary>(`${connection}/reload`, reload), 202).body.isInitialLoad).toBe(false);

  // The upgrade finds the initial loads of earlier runs.
  await app.database.query('update runs set is_initial_load = false');
  expect(await listed()).toEqual([false, false, false, false]);
  await app.database.query(readFileSync(UPGRADE, 'utf8'));
  expect(await listed()).toEqual([false, false, true, true]);
});
