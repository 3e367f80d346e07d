import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { aConnection, anOrganization, daysAgo, eventually } from '../../factories.js';
import { Workers } from '../../workers.js';
import type { RunDetail } from '../../../src/sync/api/runs.dto.js';
import { newestRun } from '../../runs.js';

const GERMANY = '9001000011';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
const workers = new Workers();

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'api', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await workers.killAll();
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  warehouse = await startWarehouse();
});
afterEach(() => warehouse.stop());

/** Starts a worker that is registered in the queue. */
async function startWorker(): Promise<ChildProcess> {
  const started = workers.start(app, sandboxSettings(sandbox.url));
  const isKnown = () => app.database.query('select 1 from workers where description like $1', [`% pid ${started.pid}`]);
  await eventually(isKnown, (found) => found.length > 0);
  return started;
}

const SUCCESSION_MS = 5_000;
const TAKEOVER_MS = 25_000;

/** A run of twenty reports, most of which get no response while the fault is active, so it cannot end too early. */
async function aRunUnderWay(): Promise<() => Promise<RunDetail>> {
  const organization = await anOrganization(app);
  await sandbox.addFault({ fault: 'slow', delayMs: 120_000, afterRequests: 14 });
  const connection = await aConnection(organization, warehouse, { historyDays: 300 });
  return () => newestRun(organization, connection.id);
}

async function expectEqualSums(): Promise<void> {
  const expected = await sandbox.totals(GERMANY, daysAgo(300), daysAgo(-1));
  for (const stream of ['campaign_daily', 'ad_group_daily']) {
    const [found] = await warehouse.query(
      `select count(*)::int as rows, sum(cost_micros)::text as "costMicros" from google_ads_${stream}`,
    );
    expect(found).toEqual({ rows: expected[stream]?.rows, costMicros: expected[stream]?.costMicros });
  }
}

it('a stopped worker releases its run, and another worker resumes it immediately', async () => {
  const first = await startWorker();
  const newest = await aRunUnderWay();
  const before = await eventually(newest, (run) => run.slicesDone >= 2);
  const second = await startWorker();
  await sandbox.clearFaults();
  first.kill('SIGTERM');
  const [code, signal] = (await once(first, 'exit')) as [number | null, string | null];
  expect([0, null]).toContain(code);
  expect([null, 'SIGTERM']).toContain(signal);
  await eventually(newest, (run) => run.attempts.length > before.attempts.length, SUCCESSION_MS);
  expect(await eventually(newest, (run) => run.endedAt !== null)).toMatchObject({ state: 'succeeded' });
  await expectEqualSums();
  await workers.kill(second);
});

it('a worker killed during a run is replaced within 25 s, and no row is lost or duplicated', async () => {
  const first = await startWorker();
  const newest = await aRunUnderWay();
  const before = await eventually(newest, (run) => run.slicesDone >= 3);
  await startWorker();
  await sandbox.clearFaults();
  await workers.kill(first);
  await eventually(newest, (run) => run.attempts.length > before.attempts.length, TAKEOVER_MS);
  const run = await eventually(newest, ({ endedAt }) => endedAt !== null);
  expect(run).toMatchObject({ state: 'succeeded', verify: { rows: true, cost: true } });
  await expectEqualSums();
});
