import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { countOf } from '../../../test/counts.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { aConnection, anOrganization, type Connection, eventually } from '../../../test/factories.js';
import { Workers } from '../../../test/workers.js';
import { RunQueue } from '../../sync/jobs/run-queue.js';
import { ScheduleDue } from './schedule-due.js';

const MANY = 190;
const FEW = 10;
/** Transactions of the product's database. The database reports them up to ten seconds late. */
const MAX_TRANSACTIONS = 12;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
const workers = new Workers();

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'api', ...sandboxSettings(sandbox.url) });
  warehouse = await startWarehouse();
});
afterAll(async () => {
  await workers.killAll();
  await app?.stop();
  await warehouse?.stop();
  await sandbox?.stop();
});

/** Deletes jobs that earlier tests have left in the queue. */
beforeEach(async () => {
  await app.database.query(`delete from graphile_worker._private_jobs where key like 'run:%'`);
  await app.database.query(`update runs set state = 'cancelled', ended_at = now() where ended_at is null`);
  await app.database.query('update connections set next_run_at = null');
});

/**
 * Connections of a new organization: one created through the API, and copies of it. Without a worker their first runs stay
 * queued.
 */
async function dueConnections(count: number): Promise<string> {
  const organization = await anOrganization(app);
  const connection = await aConnection(organization, warehouse, { streams: ['campaign_daily'], historyDays: 3, lookbackDays: 3 });
  await copy(connection, count - 1);
  await app.database.query(`delete from graphile_worker._private_jobs where key like 'run:%'`);
  await app.database.query('delete from runs where organization_id = $1', [organization.id]);
  await app.database.query(
    `update connections set next_run_at = now() - interval '1 minute', schedule = '{"kind":"daily","atTime":"06:00","timeZone":"UTC"}'
      where organization_id = $1`,
    [organization.id],
  );
  return organization.id;
}

async function copy({ id }: Connection, count: number): Promise<void> {
  await app.database.query(
    `with copies as (select number, gen_random_uuid() as copy_id from generate_series(1, $2::int) number),
     places as (
       insert into destinations (id, organization_id, app_id, name, settings, state, created_by, updated_at)
       select copy_id, d.organization_id, d.app_id, d.name, d.settings || jsonb_build_object('tablePrefix', 'c' || number || '_'),
              d.state, d.created_by, now()
         from connections c join destinations d on d.id = c.destination_id, copies where c.id = $1)
     insert into connections (id, organization_id, source_id, destination_id, name, streams, schedule, lookback_days, history_from,
                              created_by, updated_at)
     select gen_random_uuid(), c.organization_id, c.source_id, copy_id, c.name, c.streams, c.schedule, c.lookback_days,
            c.history_from, c.created_by, now()
       from connections c, copies where c.id = $1`,
    [id, count],
  );
}

async function countRuns(condition: string, organizationId?: string): Promise<number> {
  const [row] = await app.database.query<{ count: number }>(
    `select count(*)::int as count from runs where ${condition} and ($1::uuid is null or organization_id = $1)`,
    [organizationId ?? null],
  );
  return row?.count ?? 0;
}

async function turnsOf(organizationId: string): Promise<number[]> {
  const rows = await app.database.query<{ turn: number }>('select turn from runs where organization_id = $1 order by turn', [
    organizationId,
  ]);
  return rows.map(({ turn }) => turn);
}

describe('many due connections of one organization and a few of another', () => {
  it('take turns: the few end after about as many runs of the others', async () => {
    const many = await dueConnections(MANY);
    const few = await dueConnections(FEW);
    await app.get(ScheduleDue).startDue();
    expect(await countRuns(`state = 'queued'`)).toBe(MANY + FEW);
    const worker = workers.start(app, sandboxSettings(sandbox.url));
    await eventually(() => countRuns(`state = 'succeeded'`, few), (count) => count === FEW); // prettier-ignore
    // Four slots: runs that were started next to the last of the few.
    expect(await countRuns('started_at is not null', many)).toBeLessThanOrEqual(FEW + 8);
    await workers.kill(worker);
  });

  it('keep the order of their organization if more are queued', async () => {
    const [first, second] = [await dueConnections(3), await dueConnections(3)];
    await app.get(ScheduleDue).startDue();
    await app.database.query(`delete from runs where organization_id = $1`, [second]);
    const later = await dueConnections(2);
    await app.get(ScheduleDue).startDue();
    expect(await turnsOf(first)).toEqual([0, 1, 2]);
    expect(await turnsOf(later)).toEqual([0, 1]);
  });

  it('start at the current turn, not before the runs that other organizations queued earlier', async () => {
    const earlier = await dueConnections(3);
    await app.get(ScheduleDue).startDue();
    await app.database.query('update runs set turn = turn + 500 where organization_id = $1', [earlier]);
    const later = await dueConnections(2);
    await app.get(ScheduleDue).startDue();
    expect(await turnsOf(later)).toEqual([500, 501]);
  });

  it('resume at the current turn', async () => {
    const earlier = await dueConnections(2);
    await app.get(ScheduleDue).startDue();
    await app.database.query('update runs set turn = turn + 500 where organization_id = $1', [earlier]);
    const resumed = await dueConnections(1);
    await app.get(ScheduleDue).startDue();
    const [run] = await app.database.query<{ id: string }>(
      `update runs set state = 'waiting', turn = 0 where organization_id = $1 returning id`,
      [resumed],
    );
    await app.get(RunQueue).addAgain(resumed, run?.id ?? '', new Date());
    expect(await turnsOf(resumed)).toEqual([500]);
  });
});

it('queues more connections than one batch within one minute', async () => {
  const organizationId = await dueConnections(1_300);
  await app.get(ScheduleDue).startDue();
  expect(await countRuns(`state = 'queued'`, organizationId)).toBe(1_300);
  const jobs = await app.database.query<{ priority: number }>(
    `select j.priority from graphile_worker._private_jobs j join runs r on 'run:' || r.id = j.key where r.organization_id = $1 order by 1`,
    [organizationId],
  );
  expect(jobs.at(-1)?.priority).toBeGreaterThanOrEqual(1_299);
});

/** The jobs of each minute take about 50 transactions of their own, which many runs make negligible. */
const MEASURED_RUNS = countOf(100, 200);

/** Transactions that each of many runs of one slice takes, without those of the idle worker. */
async function transactionsPerRun(): Promise<number> {
  const organizationId = await dueConnections(MEASURED_RUNS);
  const worker = workers.start(app, sandboxSettings(sandbox.url));
  const transactions = async () => {
    // The server's sessions report within ten seconds.
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    const [row] = await app.database.query<{ count: number }>(
      `select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()`,
    );
    return row?.count ?? 0;
  };
  const [first, firstAt] = [await transactions(), Date.now()];
  const [second, secondAt] = [await transactions(), Date.now()];
  const idlePerMs = (second - first) / (secondAt - firstAt);
  await app.get(ScheduleDue).startDue();
  let looks = 0;
  const ended = () => {
    looks += 1;
    return countRuns(`state = 'succeeded'`, organizationId);
  };
  await eventually(ended, (count) => count === MEASURED_RUNS, 600_000);
  const measured = (await transactions()) - second - looks - idlePerMs * (Date.now() - secondAt);
  await workers.kill(worker);
  return measured / MEASURED_RUNS;
}

/** Fewer cannot be: the worker was still starting while its idle transactions were counted. */
const FEWEST_TRANSACTIONS = 1;

// Progress messages and polls of a slow machine only add transactions, so the smallest of three measurements counts.
it('a run of one slice takes few database transactions', async () => {
  const measured: number[] = [];
  const smallest = () => Math.min(...measured.filter((perRun) => perRun > FEWEST_TRANSACTIONS));
  for (let round = 0; round < 3 && smallest() > MAX_TRANSACTIONS; round++) {
    const perRun = await transactionsPerRun();
    process.stdout.write(`Transactions per run: ${perRun.toFixed(1)}\n`);
    measured.push(perRun);
  }
  expect(smallest()).toBeLessThanOrEqual(MAX_TRANSACTIONS);
});
