import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
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
const workers = new Workers();

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'api', ...sandboxSettings(sandbox.url) });
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
});
afterAll(async () => {
  await workers.killAll();
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const startWorker = (): ChildProcess => workers.start(app, sandboxSettings(sandbox.url));
const identity = async (): Promise<string> =>
  (await warehouse.query<{ id: string }>(`select '${TABLE}'::regclass::oid::text as id`))[0]?.id ?? '';

/** A session that holds a lock until it is ended. */
async function holding(settings: pg.ClientConfig, lock: string, parameters: unknown[] = []): Promise<pg.Client> {
  const client = new pg.Client(settings);
  await client.connect();
  await client.query('begin');
  await client.query(lock, parameters);
  return client;
}

const untilWaiting = (query: (sql: string) => Promise<unknown[]>, text: string): Promise<unknown[]> =>
  eventually(
    () =>
      query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '${text}' and datname = current_database()`,
      ),
    (found) => found.length > 0,
  );

it('a re-sync whose workers are killed before the swap and before its commit is swapped once and loads nothing again', async () => {
  const first = startWorker();
  const connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: [STREAM], accountIds: [LONDON] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  const before = await identity();

  const writer = await holding({ ...warehouse.settings, ssl: false }, `lock table ${TABLE} in row exclusive mode`);
  const resync = new ResyncScenario(scenario, STREAM);
  const id = await resync.start(connection);
  await untilWaiting((sql) => warehouse.query(sql), 'LOCK TABLE%');
  await workers.kill(first);
  await writer.end();
  expect(await identity()).toBe(before);

  const commit = await holding(
    { connectionString: app.database.url },
    'select from coverage where organization_id = $1 and day = $2 for update',
    [scenario.organization.id, daysAgo(20)],
  );
  const second = startWorker();
  await untilWaiting((sql) => app.database.query(sql), '%insert into coverage%');
  const swapped = await identity();
  expect(swapped).not.toBe(before);
  await workers.kill(second);
  await commit.end();

  startWorker();
  const done = await eventually(
    () => resync.read(connection, id),
    ({ endedAt }) => endedAt !== null,
  );
  expect(done).toMatchObject({ state: 'completed', phase: 'swapped', failure: null });
  expect(await identity()).toBe(swapped);
  await scenario.endedRun(connection);
  expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(3) } });
  await scenario.expectEqualSums([LONDON], HISTORY_DAYS, [STREAM]);
});
