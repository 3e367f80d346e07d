import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectionEntry, ConnectionPage } from '../src/connections/connections.dto.js';
import { ConnectionFacts } from '../src/connections/facts/connection-facts.service.js';
import { sandboxSettings, startTestApp, type TestApp } from './app.js';
import { type Sandbox, startSandbox } from './connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from './connectors/warehouse.js';
import { expectStatus } from './factories.js';
import { aPlatformScenario, type PlatformScenario } from './platform-scenario.js';
import { googleAds } from './platforms.js';
import { REPORTS_PAGE, SAMPLE_QUERIES } from './reports.js';

/** Columns that no report may contain: credentials, hashes of keys, personal data of customers. */
const SECRET = /credential|secret|hash|private|sealed|payload|person_key|token|click_id|order_id/;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let reports: pg.Client;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  await app.database.query(`alter role report_ro login password 'test'`);
  const url = Object.assign(new URL(app.database.ownerUrl), { username: 'report_ro', password: 'test' });
  reports = new pg.Client({ connectionString: url.href });
  await reports.connect();
});
afterAll(async () => {
  await reports?.end();
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const rowsOf = async <Row extends pg.QueryResultRow>(query: string, parameters?: unknown[]) =>
  (await reports.query<Row>(query, parameters)).rows;
const entryOf = async (connection: string) => (await scenario.organization.call.get<ConnectionEntry>(connection)).body;

interface ReportedConnection {
  health: string;
  complete_through: string | null;
  last_run_id: string;
  failed_runs_in_a_row: number;
  failure_code: string | null;
}

async function reported({ id }: ConnectionEntry): Promise<ReportedConnection | undefined> {
  const [row] = await rowsOf<ReportedConnection>(
    `select health, complete_through::text, last_run_id, failed_runs_in_a_row, failure_code
       from connections_v1 where connection_id = $1`,
    [id],
  );
  return row;
}

describe('the reporting views', () => {
  it('have a comment on every view and column', async () => {
    const bare = await app.database.query<{ name: string }>(
      `select c.relname || coalesce('.' || a.attname, '') as name
         from pg_class c
         left join lateral (select null as attname, 0 as attnum
           union all select attname, attnum from pg_attribute where attrelid = c.oid and attnum > 0) a on true
        where c.relnamespace = 'reporting'::regnamespace
          and case a.attnum when 0 then obj_description(c.oid, 'pg_class') else col_description(c.oid, a.attnum) end is null`,
    );
    expect(bare).toEqual([]);
  });

  it('are listed in the documentation, all with a version', async () => {
    const views = await app.database.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'reporting'::regnamespace order by 1`,
    );
    const listed = [...REPORTS_PAGE.matchAll(/^\| `(\w+_v\d+)`/gm)].map(([, name]) => name);
    expect(views.map(({ name }) => name)).toEqual(listed.toSorted());
  });

  it('read no column that contains a secret or the data of a customer', async () => {
    const columns = await app.database.query<{ name: string }>(
      `select distinct table_name || '.' || column_name as name from information_schema.view_column_usage
        where view_schema = 'reporting' and table_schema = 'public'`,
    );
    expect(columns.length).toBeGreaterThan(50);
    expect(columns.map(({ name }) => name).filter((name) => SECRET.test(name))).toEqual([]);
  });

  it('show a connection as the API does, after a verified run and after failed ones', async () => {
    const connection = await scenario.connect({ historyDays: 3, streams: ['campaign_daily'] });
    const run = await scenario.endedRun(connection);
    expect(run).toMatchObject({ state: 'succeeded' });
    const healthy = await entryOf(connection);
    expect(healthy.health).toBe('healthy');
    expect(await reported(healthy)).toEqual({
      health: 'healthy',
      complete_through: healthy.completeThrough,
      last_run_id: run.id,
      failed_runs_in_a_row: 0,
      failure_code: null,
    });
    const [chunks] = await rowsOf(
      `select sum(rows_read)::int as read, sum(rows_found)::int as found from run_chunks_v1 where run_id = $1`,
      [run.id],
    );
    const [days] = await rowsOf(`select sum(rows)::int as rows from daily_rows_v1 where connection_id = $1`, [healthy.id]);
    expect(chunks).toEqual({ read: run.rowsRead, found: run.rowsRead });
    expect(days).toEqual({ rows: run.rowsRead });

    await warehouse.query(`alter table google_ads_campaign_daily alter column clicks type text`);
    for (const count of [1, 2]) {
      expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed' });
      const failing = await entryOf(connection);
      expect(failing.health).toBe('failing');
      expect(await reported(failing)).toMatchObject({
        health: 'failing',
        complete_through: failing.completeThrough,
        failed_runs_in_a_row: count,
        failure_code: failing.failure?.code,
      });
    }
    expectStatus(await scenario.organization.call.post(`${connection}/pause`), 200);
    const paused = await entryOf(connection);
    expect(await reported(paused)).toMatchObject({ health: paused.health });
  });
});

describe('the health of connections_v2', () => {
  const listed = async () =>
    (await scenario.organization.call.get<ConnectionPage>(`${scenario.organization.path}/connections`)).body.items;
  const stored = () =>
    rowsOf(
      `select connection_id as id, health, complete_through::text as "completeThrough", last_run_id as "lastRunId", has_changed as "hasChanged" from connections_v2 order by 1`,
    );

  it('is that of the list, also if days are late', async () => {
    await warehouse.query('alter table google_ads_campaign_daily alter column clicks type bigint using clicks::bigint');
    const late = await scenario.connect({ historyDays: 5, streams: ['campaign_daily'] });
    await scenario.endedRun(late);
    const { id } = await entryOf(late);
    await app.database.query(`delete from coverage where connection_id = $1 and day > current_date - 4`, [id]);
    await scenario.endedRun(await scenario.connect({ historyDays: 3, streams: ['campaign_daily'] }));
    await app.get(ConnectionFacts).refreshAll();
    const entries = await listed();
    expect(entries.map(({ health }) => health)).toEqual(expect.arrayContaining(['stale', 'healthy', 'paused']));
    expect(await stored()).toEqual(
      entries
        .map((entry) => ({
          id: entry.id,
          health: entry.health,
          completeThrough: entry.completeThrough,
          lastRunId: entry.lastRun?.id ?? null,
          hasChanged: false,
        }))
        .toSorted((left, right) => (left.id < right.id ? -1 : 1)),
    );
  });

  it('is marked as changed until it is computed again', async () => {
    const [{ id } = { id: '' }] = await listed();
    await app.database.query(`update connections set desired = 'paused' where id = $1`, [id]);
    const hasChanged = async () =>
      (await rowsOf<{ has_changed: boolean }>('select has_changed from connections_v2 where connection_id = $1', [id]))[0]
        ?.has_changed;
    expect(await hasChanged()).toBe(true);
    await app.get(ConnectionFacts).refreshAll();
    expect(await hasChanged()).toBe(false);
  });
});

describe('a connection without a complete day', () => {
  it('is complete through no day', async () => {
    const connection = await scenario.connect({ historyDays: 3, streams: ['campaign_daily'] });
    await scenario.endedRun(connection);
    const { id } = await entryOf(connection);
    await app.database.query(`update coverage set state = 'failed' where connection_id = $1`, [id]);
    const entry = await entryOf(connection);
    expect(entry.completeThrough).toBeNull();
    expect(await reported(entry)).toMatchObject({ complete_through: null });
  });
});

describe('the role report_ro', () => {
  it.each(['apps', 'users', 'connections'])('cannot read the table %s', (table) =>
    expect(reports.query(`select * from public.${table}`)).rejects.toMatchObject({ code: '42501' }),
  );

  it('cannot drop partitions of the run log', () =>
    expect(reports.query(`select public.maintain_run_log_partitions('30 days')`)).rejects.toMatchObject({ code: '42501' }));

  it('cannot write, and its statements end after a minute', async () => {
    await expect(reports.query('create temporary table t (id int)')).rejects.toMatchObject({ code: '25006' });
    const [{ statement_timeout: timeout } = {}] = await rowsOf<{ statement_timeout: string }>('show statement_timeout');
    expect(timeout).toBe('1min');
  });
});

describe('the sample queries of the documentation', () => {
  it('are 20 at least', () => expect(SAMPLE_QUERIES.length).toBeGreaterThanOrEqual(20));

  it('find a chunk whose rows were lost', async () => {
    const connection = await scenario.connect({ historyDays: 3, streams: ['ad_group_daily'] });
    expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
    await warehouse.query(`create function lose() returns trigger language plpgsql as $$ begin return null; end $$`);
    await warehouse.query('create trigger lose before insert on google_ads_ad_group_daily for each row execute function lose()');
    await warehouse.query('delete from google_ads_ad_group_daily');
    const { id } = await scenario.runAgain(connection);
    const query = SAMPLE_QUERIES.find((text) => text.includes('rows_found')) ?? '';
    const [chunk] = (await rowsOf(query)).filter(({ run_id: runId }) => runId === id);
    expect(chunk?.['stream']).toBe('ad_group_daily');
    expect(Number(chunk?.['rows_read'])).toBeGreaterThan(Number(chunk?.['rows_found']));
  });

  it.each(SAMPLE_QUERIES.map((query, index) => [index + 1, query]))('number %i runs as report_ro', async (_, query) => {
    await expect(reports.query(String(query))).resolves.toBeDefined();
  });
});
