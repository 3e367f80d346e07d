import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aDestination, daysAgo, eventually, expectStatus } from '../factories.js';
import { untilTriggered } from '../faults.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import { onlyLookback, onlyLookbackIn, ResyncScenario } from '../resync-scenario.js';
import { aMember } from '../teams.js';
import type { BackfillDetail } from '../../src/backfills/backfills.dto.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import type { ConnectionAudit } from '../../src/sync/index.js';

/** Much longer than the lookback window of three days: older days are read again only if they count as missing. */
const HISTORY_DAYS = 40;
const STREAM = 'campaign_daily';
const TABLE = `google_ads_${STREAM}`;
/** In the time zones of Berlin and New York. */
const [FIRST, OTHER = ''] = googleAds.accounts;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let resync: ResyncScenario;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await sandbox.clearFaults();
  await warehouse.query(`drop table if exists ${TABLE} cascade`);
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  resync = new ResyncScenario(scenario, STREAM);
});

const call = () => scenario.organization.call;
const wish = (accountIds = [FIRST]) => ({ historyDays: HISTORY_DAYS, streams: [STREAM], accountIds });
const newTables = async (): Promise<string[]> =>
  (
    await warehouse.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relname like '${TABLE}\\_n%'`,
    )
  ).map(({ name }) => name);
const identity = async (): Promise<string> =>
  (await warehouse.query<{ id: string }>(`select '${TABLE}'::regclass::oid::text as id`))[0]?.id ?? '';

async function loaded(path: string): Promise<string> {
  expect(await scenario.endedRun(path)).toMatchObject({ state: 'succeeded', failure: null });
  return path;
}

/** Counts the rows of the table in its own session until it is stopped. */
function aReader(): { stop(): Promise<number[]> } {
  const counts: number[] = [];
  let isStopped = false;
  const reading = (async () => {
    const client = new pg.Client({ ...warehouse.settings, ssl: false });
    await client.connect();
    while (!isStopped) {
      const { rows } = await client.query<{ count: number }>({
        name: 'count',
        text: `select count(*)::int as count from ${TABLE}`,
      });
      counts.push(rows[0]?.count ?? -1);
    }
    await client.end();
  })();
  const stop = async () => {
    isStopped = true;
    await reading;
    return counts;
  };
  return { stop };
}

describe('a re-sync is rejected', () => {
  it('for a stream that the connection does not load, for a viewer, and for a paused connection', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    expect(await resync.request(connection, 'ad_group_daily')).toMatchObject({
      status: 422,
      body: { code: 'connection.unknown_stream' },
    });
    const viewer = await aMember(app, scenario.organization, 'viewer');
    const answer = await viewer.call.post(`${connection}/resyncs`, { stream: STREAM });
    expect(answer).toMatchObject({ status: 403, body: { code: 'access.role_too_low' } });
    expectStatus(await call().post(`${connection}/pause`), 200);
    expect(await resync.request(connection)).toMatchObject({ status: 409, body: { code: 'connection.paused' } });
  });

  it('while another re-sync of the stream is active, also when both are requested at the same time', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await scenario.fault('slow', { delayMs: 2_000 });
    const answers = await Promise.all([0, 1, 2].map(() => resync.request(connection)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({ body: { code: 'backfill.overlaps' } });
  });

  it('by Mixpanel, which cannot replace events', async () => {
    const destination = expectStatus(
      await call().post<{ id: string }>(`${scenario.organization.path}/destinations`, {
        provider: 'mixpanel',
        name: 'Product analytics',
        settings: { projectId: '3100001', residency: 'US', eventName: 'Ad Data' },
        credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
      }),
      201,
    ).body;
    const connection = await scenario.connectTo(destination.id, { ...wish(), historyDays: 2 });
    expect(await resync.request(connection)).toMatchObject({
      status: 422,
      body: {
        code: 'resync.unsupported',
        detail: 'Mixpanel cannot replace events that it has, so a re-sync would count them twice.',
      },
    });
  });

  it('with the reason, within its first run, if something depends on the table that cannot follow', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await warehouse.query(`create materialized view monthly as select sum(clicks) from ${TABLE}`);
    const before = await identity();
    const failed = await resync.ended(connection, await resync.start(connection));
    expect(failed).toMatchObject({ state: 'failed', failure: { code: 'resync.refused' } });
    expect(failed.failure?.message).toContain('the materialized view or rule monthly reads it');
    expect([await identity(), await newTables()]).toEqual([before, []]);
    await warehouse.query('drop materialized view monthly');
    expectStatus(await call().post(`${connection}/backfills/${failed.id}/retry-failed`), 200);
    expect(await resync.ended(connection, failed.id)).toMatchObject({ state: 'completed', phase: 'swapped' });
    expect(await identity()).not.toBe(before);
    await scenario.expectEqualSums([FIRST], HISTORY_DAYS, [STREAM]);
  });
});

describe('a re-sync', () => {
  it('fixes a column whose type was changed, keeps rights, views and indexes, and loads the history once', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await warehouse.query(`create view clicks_of_days as select date, sum(clicks) as clicks from ${TABLE} group by date`);
    await warehouse.query(`create index by_name on ${TABLE} (campaign_name)`);
    await warehouse.query(`grant select on ${TABLE} to public`);
    await warehouse.query(`alter table ${TABLE} alter column conversions type integer using conversions::integer`);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed', failure: { code: 'postgresql.table_changed' } });
    expect((await call().get<ConnectionEntry>(connection)).body.health).toBe('failing');
    const since = new Date();
    const done = await resync.swapped(connection);
    expect(done.progress).toMatchObject({
      chunksTotal: 2,
      chunksDone: 2,
      daysTotal: HISTORY_DAYS + 1,
      daysDone: HISTORY_DAYS + 1,
    });
    await scenario.expectEqualSums([FIRST], HISTORY_DAYS, [STREAM]);
    const [{ type } = {}] = await warehouse.query(`select format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = '${TABLE}'::regclass and attname = 'conversions'`);
    expect(type).toBe('double precision');
    const [kept] = await warehouse.query(
      `select (select sum(clicks)::text from clicks_of_days) = (select sum(clicks)::text from ${TABLE}) as view,
              to_regclass('by_name') is not null as index, has_table_privilege('public', '${TABLE}', 'select') as grant`,
    );
    expect(kept).toEqual({ view: true, index: true, grant: true });
    expect(await newTables()).toEqual([]);
    await resync.expectFixed(connection, { since, historyDays: HISTORY_DAYS });
  });

  it('shows readers every row at all times, while scheduled runs continue', async () => {
    const connection = await loaded(await scenario.connect(wish([FIRST, OTHER])));
    const [{ count = 0 } = {}] = await warehouse.query<{ count: number }>(`select count(*)::int as count from ${TABLE}`);
    const before = await identity();
    const reader = aReader();
    await scenario.fault('slow', { delayMs: 400 });
    const id = await resync.start(connection);
    await untilTriggered(sandbox, 'slow');
    expectStatus(await call().post(`${connection}/run`), 202);
    expect(await resync.ended(connection, id)).toMatchObject({ state: 'completed', phase: 'swapped' });
    const counts = await reader.stop();
    expect(counts.length).toBeGreaterThan(10);
    expect(Math.min(...counts)).toBe(count);
    expect(await identity()).not.toBe(before);
    await scenario.endedRun(connection);
    await scenario.expectEqualSums([FIRST, OTHER], HISTORY_DAYS, [STREAM]);
    // The audit compares the new table with the moved coverage.
    expectStatus(await call().post(`${connection}/audit`), 202);
    const audit = await eventually(
      async () => (await call().get<ConnectionAudit>(`${connection}/audit`)).body,
      ({ current }) => current === null,
    );
    expect(audit.last).toMatchObject({ state: 'done', differingAccountDays: 0 });
  });

  it('keeps the rows of another connection, of removed accounts and of older days, and reloads none of them', async () => {
    const destination = await aDestination(scenario.organization, warehouse);
    const first = await loaded(await scenario.connectTo(destination, wish()));
    const second = await loaded(await scenario.connectTo(destination, wish([OTHER])));
    for (const change of [
      { account_id: '1', date: '2024-01-01', campaign_name: 'gone' },
      { date: '2004-01-01', campaign_name: 'old' },
    ])
      await warehouse.query(
        `insert into ${TABLE} select (jsonb_populate_record(t, $1::jsonb)).* from ${TABLE} t where account_id = '${FIRST}' limit 1`,
        [JSON.stringify(change)],
      );
    await resync.swapped(first);
    await scenario.expectEqualSums([OTHER], HISTORY_DAYS, [STREAM]);
    const kept = await warehouse.query(
      `select campaign_name as name from ${TABLE} where campaign_name in ('gone', 'old') order by 1`,
    );
    expect(kept).toEqual([{ name: 'gone' }, { name: 'old' }]);
    expect(await scenario.runAgain(second)).toMatchObject(onlyLookbackIn('America/New_York'));
    expect(await scenario.runAgain(first)).toMatchObject(onlyLookback);
  });

  it('drops the new table when it is canceled, and leaves the old one alone', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    const before = await identity();
    await scenario.fault('slow', { delayMs: 1_500, afterRequests: 1 });
    const id = await resync.start(connection);
    await eventually(newTables, (names) => names.length > 0);
    expect(expectStatus(await call().post<BackfillDetail>(`${connection}/backfills/${id}/cancel`), 200).body.state).toBe(
      'cancelled',
    );
    await eventually(newTables, (names) => names.length === 0);
    expect(await identity()).toBe(before);
    await sandbox.clearFaults();
    expect(await scenario.runAgain(connection)).toMatchObject(onlyLookback);
    await scenario.expectEqualSums([FIRST], HISTORY_DAYS, [STREAM]);
  });

  it('is recognized as swapped if its worker loses the database between the swap and the commit', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    const before = await identity();
    const lock = new pg.Client({ connectionString: app.database.url });
    await lock.connect();
    await lock.query('begin');
    await lock.query('select from coverage where organization_id = $1 and day = $2 for update', [
      scenario.organization.id,
      daysAgo(20),
    ]);
    const id = await resync.start(connection);
    await eventually(identity, (now) => now !== before);
    await eventually(
      () => app.database.query<{ gone: boolean }>(
        `select pg_terminate_backend(pid) as gone from pg_stat_activity
          where wait_event_type = 'Lock' and query like '%insert into coverage%' and datname = current_database()`),
      (killed) => killed.length > 0,
    ); // prettier-ignore
    const swapped = await identity();
    await lock.end();
    expect(await resync.ended(connection, id)).toMatchObject({ state: 'completed', phase: 'swapped' });
    expect(await identity()).toBe(swapped);
    await scenario.endedRun(connection);
    expect(await scenario.runAgain(connection)).toMatchObject(onlyLookback);
    await scenario.expectEqualSums([FIRST], HISTORY_DAYS, [STREAM]);
  });
});
