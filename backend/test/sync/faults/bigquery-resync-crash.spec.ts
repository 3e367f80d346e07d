import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { BigQueryTable } from '../../bigquery-scenario.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { daysAgo, eventually } from '../../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../../platform-scenario.js';
import { googleAds } from '../../platforms.js';
import { ResyncScenario } from '../../resync-scenario.js';
import { Workers } from '../../workers.js';

const HISTORY_DAYS = 40;
const STREAM = 'campaign_daily';
const TABLE = `google_ads_${STREAM}`;
const [LONDON] = googleAds.accounts;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let table: BigQueryTable;
const workers = new Workers();

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'api', ...sandboxSettings(sandbox.url) });
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  table = await BigQueryTable.create(scenario, sandbox, TABLE);
});
afterAll(async () => {
  await workers.killAll();
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const startWorker = (): ChildProcess => workers.start(app, sandboxSettings(sandbox.url));
const identity = async (): Promise<string> => (await table.stored()).creationTime;
const swapJobs = () => table.jobs('tributary_swap_');

it('a re-sync whose workers are killed before, during and after the swap is swapped once and loads nothing again', async () => {
  const first = startWorker();
  const connection = await scenario.connectTo(await table.aDestination(), {
    ...{ historyDays: HISTORY_DAYS, streams: [STREAM], accountIds: [LONDON] },
  });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  const before = await identity();
  const resync = new ResyncScenario(scenario, STREAM);
  const id = await resync.start(connection);
  const read = () => resync.read(connection, id);

  // Before: the last run reads the last days.
  await scenario.fault('slow', { delayMs: 3_000 });
  await eventually(
    () =>
      app.database.query(
        `select from resyncs s join run_slices d on d.organization_id = s.organization_id and d.run_id = s.swap_run_id
          where s.organization_id = $1 and d.state = 'running'`,
        [scenario.organization.id],
      ),
    (found) => found.length > 0,
  );
  await workers.kill(first);
  await sandbox.clearFaults();
  expect(await identity()).toBe(before);

  // During: the job has read both tables and continues without its worker.
  await table.fault('slow_job', { delayMs: 600_000, table: TABLE, resource: 'query', times: 1 });
  const second = startWorker();
  await eventually(swapJobs, ([newest]) => newest?.state === 'RUNNING');
  await workers.kill(second);
  expect(await identity()).toBe(before);

  // After: the tables are swapped, and the product database does not know it.
  const commit = new pg.Client({ connectionString: app.database.url });
  await commit.connect();
  await commit.query('begin');
  await commit.query('select from coverage where organization_id = $1 and day = $2 for update', [
    scenario.organization.id,
    daysAgo(20),
  ]);
  const third = startWorker();
  const swapped = await eventually(identity, (now) => now !== before);
  // The late job was canceled before the next one began.
  expect((await swapJobs()).map(({ errorResult }) => errorResult?.reason)).toEqual([undefined, 'stopped']);
  await eventually(
    () =>
      app.database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into coverage%' and datname = current_database()`,
      ),
    (found) => found.length > 0,
  );
  await workers.kill(third);
  await commit.query('rollback');
  await commit.end();

  startWorker();
  const done = await eventually(read, ({ endedAt }) => endedAt !== null);
  expect(done).toMatchObject({ state: 'completed', phase: 'swapped', failure: null });
  expect([await identity(), (await swapJobs()).length]).toEqual([swapped, 2]);
  expect(await table.tables()).toEqual(['_tributary_runs', TABLE]);
  await scenario.endedRun(connection);
  expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(3) } });
  expect(await table.sums(LONDON, daysAgo(HISTORY_DAYS), daysAgo(-1))).toEqual(
    await scenario.atSource(LONDON, STREAM, HISTORY_DAYS),
  );
  expect(await table.query(`SELECT run_id FROM ${table.datasetId}._tributary_runs WHERE STARTS_WITH(run_id, 'swap ')`)).toEqual(
    [],
  );
});
