import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { aPlatformScenario } from '../../../test/platform-scenario.js';
import { googleAds } from '../../../test/platforms.js';
import { DeleteOldRunLogs, LOG_DAYS } from './delete-old-run-logs.js';

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

/** Two partitions up to the end of this month: one whose lines are all older than the logs are kept, and one with newer lines. */
async function splitAt(daysAgo: number): Promise<void> {
  await app.database.query(`do $$
    declare edge timestamptz := now() - interval '${daysAgo} days 1 minute';
    begin
      alter table run_log_entries detach partition partitions.run_log_entries_first;
      execute format('create table partitions.run_log_entries_old partition of run_log_entries for values from (minvalue) to (%L)', edge);
      execute format('alter table run_log_entries attach partition partitions.run_log_entries_first for values from (%L) to (%L)', edge,
        (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
    end $$`);
}

const partitions = async (): Promise<string[]> => {
  const found = await app.database.query<{ name: string }>(
    `select relname as name from pg_class where relispartition and relkind = 'r' order by relname`,
  );
  return found.map(({ name }) => name);
};

it('drops the log of a run with its month after 30 days and keeps the run with its verification', async () => {
  const scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  const connection = await scenario.connect({ historyDays: 3, streams: ['campaign_daily'] });
  const run = await scenario.endedRun(connection);
  expect(run.log.length).toBeGreaterThan(1);
  await splitAt(LOG_DAYS);
  const age = (days: number, edge: 'min' | 'max') =>
    app.database.query(
      `update run_log_entries set at = now() - make_interval(days => $2, mins => 2)
        where id = (select ${edge}(id) from run_log_entries where run_id = $1)`,
      [run.id, days],
    );
  await age(LOG_DAYS, 'min');
  await age(LOG_DAYS - 1, 'max');
  const entries = () =>
    app.database.query<{ id: string }>('select id::text from run_log_entries where run_id = $1 order by id', [run.id]);
  const before = await entries();
  expect(await partitions()).toContain('run_log_entries_old');
  await app.get(DeleteOldRunLogs).deleteOld();
  expect(await partitions()).not.toContain('run_log_entries_old');
  expect(await entries()).toEqual(before.slice(1));
  const { log: _log, requests: _requests, ...kept } = await scenario.newestRun(connection);
  const { log: _logBefore, requests: _requestsBefore, ...whole } = run;
  expect(kept).toEqual(whole);
});

it('creates a partition for each of the next two months, also when it is repeated', async () => {
  await app.get(DeleteOldRunLogs).deleteOld();
  await app.get(DeleteOldRunLogs).deleteOld();
  const month = (ahead: number) => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString().slice(0, 7).replace('-', '_');
  };
  expect(await partitions()).toEqual(
    expect.arrayContaining([`run_log_entries_${month(1)}`, `run_log_entries_${month(2)}`, 'run_log_entries_other']),
  );
});

it('stores a line of a month without a partition, and drops it after 30 days', async () => {
  const [run] = await app.database.query<{ organization_id: string; id: string }>('select organization_id, id from runs limit 1');
  const count = () => app.database.query('select id from partitions.run_log_entries_other');
  await app.database.query(
    `insert into run_log_entries (organization_id, run_id, at, message) values ($1, $2, now() + interval '1 year', 'Later')`,
    [run?.organization_id, run?.id],
  );
  expect(await count()).toHaveLength(1);
  await app.get(DeleteOldRunLogs).deleteOld();
  expect(await count()).toHaveLength(1);
  await app.database.query(`alter table run_log_entries detach partition partitions.run_log_entries_first`);
  await app.database.query(`update run_log_entries set at = now() - interval '31 days' where message = 'Later'`);
  await app.get(DeleteOldRunLogs).deleteOld();
  expect(await count()).toHaveLength(0);
});
