import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo, expectStatus } from '../factories.js';
import { aPlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import type { SourceEntry } from '../../src/sources/sources.dto.js';

const STREAM = 'campaign_daily';
/** Slices that are loaded before the run pauses. */
const LOADED_SLICES = 30;
const PATIENCE_MS = 240_000;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const daysSince = (day: string) => Math.round((Date.parse(daysAgo(0)) - Date.parse(day)) / 86_400_000);

it('a resumed run leaves out the days that the platform no longer has and loads the others', async () => {
  const scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  const { call, path } = scenario.organization;
  const sourceId = await scenario.aSource({});
  const first = expectStatus(await call.get<SourceEntry>(`${path}/sources/${sourceId}`), 200).body.earliestAvailable ?? '';
  await scenario.fault('throttle', { afterRequests: LOADED_SLICES });
  const connection = await scenario.connect({ historyDays: daysSince(first), streams: [STREAM] }, sourceId);
  expect(await scenario.waitingRun(connection, PATIENCE_MS)).toMatchObject({ state: 'waiting', window: { from: first } });

  // As planned two days ago, when the platform still had two earlier days.
  const id = connection.split('/').at(-1);
  await app.database.query(
    `update run_slices set day_from = day_from - 2 where run_id = (select id from runs where connection_id = $1) and day_from = $2`,
    [id, first],
  );
  await sandbox.clearFaults();
  const run = await scenario.endedRunAfterPauses(connection);
  expect(run).toMatchObject({ state: 'succeeded', failure: null });
  expect(run.slices.map(({ from }) => from).toSorted()[0]).toBe(first);
});
