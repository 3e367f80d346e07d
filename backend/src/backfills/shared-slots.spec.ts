import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../../test/factories.js';
import { aPlatformScenario } from '../../test/platform-scenario.js';
import { googleAds } from '../../test/platforms.js';
import type { BackfillDetail } from './backfills.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', WORKER_CONCURRENCY: '1', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

it('a backfill releases the only slot when a run of another organization waits for it', async () => {
  const scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  const other = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  const wanted = { historyDays: 3, streams: ['campaign_daily'] };
  const connection = await scenario.connect(wanted);
  const otherConnection = await other.connect(wanted);
  for (const run of [await scenario.endedRun(connection), await other.endedRun(otherConnection)])
    expect(run.state).toBe('succeeded');
  const { call } = scenario.organization;
  // 33 chunks of a second each, which one run loads. The other run waits five seconds and more for the slot, on a busy machine.
  await scenario.fault('slow', { delayMs: 1_000 });
  const body = { mode: 'fill_missing', from: daysAgo(1_000), to: daysAgo(4) };
  const { id } = expectStatus(await call.post<BackfillDetail>(`${connection}/backfills`, body), 201).body;
  const read = async () => (await call.get<BackfillDetail>(`${connection}/backfills/${id}`)).body;
  await eventually(read, ({ progress }) => progress.chunksDone > 0);

  expect(await other.runAgain(otherConnection)).toMatchObject({ state: 'succeeded' });
  expect(await read()).toMatchObject({ state: 'running' });

  await sandbox.clearFaults();
  await scenario.makeWaitingRunsDue();
  expect(await eventually(read, ({ endedAt }) => endedAt !== null)).toMatchObject({ state: 'completed' });
});
