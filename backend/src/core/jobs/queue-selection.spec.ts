import { Logger, run } from 'graphile-worker';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortWaits, startTestApp, type TestApp } from '../../../test/app.js';
import { createTestDatabase, type TestDatabase } from '../../../test/database.js';
import { eventually } from '../../../test/factories.js';
import { JOBS_BY_TASK, migrateQueue } from './migrate-queue.js';
import { QueueLength } from './queue-length.js';
import { queuePool } from './queue-pool.js';

// SQL: statistics of the queue's tables.

const BACKLOG = 20_000;
/** PostgreSQL changes to one plan for all parameters after five executions of a prepared statement. */
const EXECUTIONS = 10;
/** Planning reads the ends of an index, to estimate how many jobs are due. */
const READ_BY_PLANNER = 4;
/** Of a slot without a job, as of the slots for all other jobs: its tasks are a few in a hundred of those that wait. */
const IDLE_TASKS = Array.from({ length: 30 }, (_, number) => `idle-${number}`);

/** Jobs that wait because no slot has their task. */
async function addBacklog(database: TestDatabase, task: string): Promise<void> {
  await database.query('select graphile_worker.add_job($1, run_at => now())', [task]);
  await database.query(
    `insert into graphile_worker._private_jobs (task_id, payload, priority)
     select id, '{}', number % 500 from graphile_worker._private_tasks, generate_series(1, $2::int) number where identifier = $1`,
    [task, BACKLOG],
  );
  // As autovacuum does within a minute.
  await database.query('analyze graphile_worker._private_jobs');
}

/** The statement with which the queue selects a job of one of the tasks, as it sends it. */
async function recordSelection(pool: pg.Pool, tasks: string[]): Promise<pg.QueryConfig> {
  let found: (statement: pg.QueryConfig) => void = () => undefined;
  const recorded = new Promise<pg.QueryConfig>((resolve) => (found = resolve));
  const recording = new Proxy(pool, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property !== 'connect') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return (callback?: Parameters<pg.Pool['connect']>[0]) =>
        callback ? target.connect(callback) : target.connect().then((client) => recordingClient(client, found));
    },
  });
  const runner = await run({
    pgPool: recording,
    noHandleSignals: true,
    taskList: Object.fromEntries(tasks.map((task) => [task, () => undefined])),
    parsedCronItems: [],
    logger: new Logger(() => () => undefined),
  });
  const statement = await recorded;
  await runner.stop();
  return statement;
}

const recordingClient = (client: pg.PoolClient, found: (statement: pg.QueryConfig) => void) => ({
  query: (statement: pg.QueryConfig) => {
    if (statement.name?.startsWith('get_job')) found(statement);
    return client.query(statement);
  },
  release: (error?: Error | boolean) => client.release(error),
});

/** Rows of jobs that one selection reads, after the plan of a prepared statement has settled. */
async function rowsReadBy(pool: pg.Pool, statement: pg.QueryConfig): Promise<number> {
  const client = await pool.connect();
  const read = async () => {
    const { rows } = await client.query<{ read: number }>(
      `select (coalesce(sum(seq_tup_read), 0) + coalesce(sum(idx_tup_fetch), 0))::int as read
         from pg_stat_xact_all_tables where relid = 'graphile_worker._private_jobs'::regclass`,
    );
    return rows[0]!.read;
  };
  try {
    for (let count = 0; count < EXECUTIONS; count++) await client.query(statement);
    await client.query('begin');
    const before = await read();
    await client.query(statement);
    const after = await read();
    await client.query('rollback');
    return after - before;
  } finally {
    client.release();
  }
}

describe('selecting a job while 20,000 jobs of other tasks wait', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let selection: pg.QueryConfig;
  const length = new QueueLength();

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 5 });
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    selection = await recordSelection(pool, IDLE_TASKS);
  });
  afterAll(async () => {
    await pool?.end();
    await database?.stop();
  });

  it('is prepared while the queue is short', async () => {
    await length.measure(pool);
    expect(length.isLong).toBe(false);
    const client = await queuePool(pool, pool, length).connect();
    await client.query(selection);
    const { rows } = await client.query('select name from pg_prepared_statements');
    client.release();
    expect(rows).toEqual([{ name: selection.name }]);
  });

  it('reads none of them', async () => {
    await addBacklog(database, 'of-another-slot');
    await length.measure(pool);
    expect(length.isLong).toBe(true);
    expect(await rowsReadBy(queuePool(pool, pool, length), selection)).toBeLessThanOrEqual(READ_BY_PLANNER);
  });

  it('reads all of them without the index, or with one plan for all slots', async () => {
    expect(await rowsReadBy(pool, selection)).toBeGreaterThanOrEqual(BACKLOG);
    await database.query(`drop index graphile_worker.${JOBS_BY_TASK}`);
    expect(await rowsReadBy(queuePool(pool, pool, length), selection)).toBeGreaterThanOrEqual(BACKLOG);
    await Promise.all([migrateQueue(database.ownerUrl), migrateQueue(database.ownerUrl)]);
    expect(await rowsReadBy(queuePool(pool, pool, length), selection)).toBeLessThanOrEqual(READ_BY_PLANNER);
  });
});

describe('a worker', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ ROLE: 'worker' }, { ...shortWaits, queuePollMs: 20 });
  });
  afterAll(() => app?.stop());

  it('does not read a backlog that appears while it runs', async () => {
    const fetched = async () => {
      const [row] = await app.database.query<{ count: number }>(
        `select idx_tup_fetch::int as count from pg_stat_all_indexes where indexrelname = 'jobs_main_index'`,
      );
      return row!.count;
    };
    const inOneSecond = async () => {
      const start = await fetched();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return (await fetched()) - start;
    };
    const before = await fetched();
    await addBacklog(app.database, 'of-an-older-release');
    // Until the next heartbeat, each of about 22 slots reads the backlog every 20 ms.
    await eventually(fetched, (rows) => rows - before > BACKLOG);
    await eventually(inOneSecond, (rows) => rows < BACKLOG / 10);
  });
});
