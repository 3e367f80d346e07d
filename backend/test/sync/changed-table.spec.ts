import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aDestination, daysAgo, eventually, expectStatus } from '../factories.js';
import { alertMailsOf, alertsOf, untilEventsDelivered } from '../alerts.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import type { Completeness } from '../../src/connections/coverage/coverage.dto.js';
import type { DestinationEntry } from '../../src/destinations/destinations.dto.js';
import type { RunDetail } from '../../src/sync/api/runs.dto.js';

/** Much longer than the lookback window of three days: older days are read again only if they count as missing. */
const HISTORY_DAYS = 40;
const STREAM = 'campaign_daily';
const TABLE = `google_ads_${STREAM}`;
const [LONDON, OTHER = ''] = googleAds.accounts;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await warehouse.query(`drop table if exists ${TABLE}`);
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
});

const wish = (accountIds = [LONDON]) => ({ historyDays: HISTORY_DAYS, streams: [STREAM], accountIds });
const completenessOf = async (path: string) => (await scenario.organization.call.get<Completeness>(`${path}/completeness`)).body;
const messagesOf = ({ log }: RunDetail) => log.map(({ message }) => message);

async function loaded(path: string): Promise<string> {
  expect(await scenario.endedRun(path)).toMatchObject({ state: 'succeeded', failure: null });
  return path;
}

const nullsIn = async (column: string, table = TABLE): Promise<number> => {
  const [row] = await warehouse.query<{ count: number }>(`select count(*)::int as count from ${table} where "${column}" is null`);
  return row?.count ?? -1;
};

/** This run loaded the whole history, every cell of the column is filled, and the log contains the sentence. */
async function expectReloaded(run: RunDetail, connection: string, column: string, sentence: string): Promise<void> {
  expect(run).toMatchObject({ state: 'succeeded', failure: null, window: { from: daysAgo(HISTORY_DAYS) } });
  expect(messagesOf(run)).toContain(sentence);
  expect(await nullsIn(column)).toBe(0);
  await scenario.expectEqualSums([LONDON], HISTORY_DAYS, [STREAM]);
  expect(await completenessOf(connection)).toMatchObject({ isComplete: true, missing: 0, expected: HISTORY_DAYS + 1 });
}

const lost = (column: string): string =>
  `The column ${column} of public.${TABLE} was dropped, renamed or replaced. It is filled again: all days of ${STREAM} are loaded again.`;
const added = (column: string): string =>
  `The column ${column} of public.${TABLE} is new to this connection: all days of ${STREAM} are loaded again.`;
const onlyLookback = { state: 'succeeded', window: { from: daysAgo(3) } };

describe('a column of a PostgreSQL table', () => {
  it.each([
    ['renamed', 'campaign_name', `alter table ${TABLE} rename column campaign_name to old_name`],
    ['dropped', 'conversions', `alter table ${TABLE} drop column conversions`],
    [
      'dropped and added again by another user',
      'clicks',
      `alter table ${TABLE} drop column clicks; alter table ${TABLE} add column clicks bigint`,
    ],
    [
      'replaced by another column',
      'conversions',
      `alter table ${TABLE} drop column conversions; alter table ${TABLE} rename column conversions_value to conversions;
       alter table ${TABLE} add column conversions_value double precision`,
    ],
  ])('that was %s is reported and filled again for all history in the same run', async (_what, column, change) => {
    const connection = await loaded(await scenario.connect(wish()));
    await warehouse.query(change);
    const run = await scenario.runAgain(connection);
    const sentence = messagesOf(run).find((message) => message.includes(column)) ?? '';
    expect(sentence).toContain('dropped, renamed or replaced');
    await expectReloaded(run, connection, column, sentence);
    expect(await scenario.runAgain(connection)).toMatchObject(onlyLookback);
  });

  it('is reported in a plain sentence with its table', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await warehouse.query(`alter table ${TABLE} drop column channel_type`);
    await expectReloaded(await scenario.runAgain(connection), connection, 'channel_type', lost('channel_type'));
  });

  it('that was lost is filled again by every connection that writes the table', async () => {
    const destination = await aDestination(scenario.organization, warehouse);
    const first = await loaded(await scenario.connectTo(destination, wish()));
    const second = await loaded(await scenario.connectTo(destination, wish([OTHER])));
    await warehouse.query(`alter table ${TABLE} drop column campaign_name`);
    expect(messagesOf(await scenario.runAgain(first))).toContain(lost('campaign_name'));
    expect(await nullsIn('campaign_name')).toBeGreaterThan(0);
    expect(messagesOf(await scenario.runAgain(second))).toContain(lost('campaign_name'));
    expect(await nullsIn('campaign_name')).toBe(0);
    await scenario.expectEqualSums([LONDON, OTHER], HISTORY_DAYS, [STREAM]);
  });

  it('that a new release adds is filled for all history', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    // The state before the release: the table does not have the column, and the connection has never written it.
    await warehouse.query(`alter table ${TABLE} drop column all_conversions`);
    await app.database.query(`update stream_targets set columns = columns - 'all_conversions' where organization_id = $1`, [
      scenario.organization.id,
    ]);
    await expectReloaded(await scenario.runAgain(connection), connection, 'all_conversions', added('all_conversions'));
  });

  it('whose type was changed fails every run with its name, and is filled again once its type is restored', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await warehouse.query(`alter table ${TABLE} alter column conversions type integer using conversions::integer`);
    const refused = await scenario.runAgain(connection);
    expect(refused).toMatchObject({ state: 'failed', failure: { class: 'schema', code: 'postgresql.table_changed' } });
    expect(refused.failure?.message).toContain('its column "conversions" is integer, expected double precision');
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'failed', failure: { code: 'postgresql.table_changed' } });
    await warehouse.query(`alter table ${TABLE} alter column conversions type double precision`);
    const run = await scenario.runAgain(connection);
    expect(run).toMatchObject({ state: 'succeeded', window: { from: daysAgo(HISTORY_DAYS) } });
    const [{ whole } = {}] = await warehouse.query<{ whole: boolean }>(
      `select bool_and(conversions = trunc(conversions)) as whole from ${TABLE} where date < current_date - 20`,
    );
    expect(whole).toBe(false);
  });

  it('that users add with a default has no effect', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await warehouse.query(`alter table ${TABLE} add column note text not null default 'ours'`);
    expect(await scenario.runAgain(connection)).toMatchObject(onlyLookback);
  });
});

describe('a connection without stored columns', () => {
  const forgetColumns = () =>
    app.database.query('update stream_targets set columns = null where organization_id = $1', [scenario.organization.id]);

  it('does not load its history again if nothing has changed, and detects lost columns from then on', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await forgetColumns();
    expect(await scenario.runAgain(connection)).toMatchObject(onlyLookback);
    await warehouse.query(`alter table ${TABLE} drop column campaign_name`);
    expect(messagesOf(await scenario.runAgain(connection))).toContain(lost('campaign_name'));
  });

  it('loads its history again if the release adds a column, also if another connection ran first', async () => {
    const destination = await aDestination(scenario.organization, warehouse);
    const first = await loaded(await scenario.connectTo(destination, wish()));
    const second = await loaded(await scenario.connectTo(destination, wish([OTHER])));
    await forgetColumns();
    await warehouse.query(`alter table ${TABLE} drop column all_conversions`);
    expect(messagesOf(await scenario.runAgain(first))).toContain(added('all_conversions'));
    expect(messagesOf(await scenario.runAgain(second))).toContain(added('all_conversions'));
    expect(await nullsIn('all_conversions')).toBe(0);
  });
});

describe('an excluded field', () => {
  it('that is included again is filled for all history by a run that starts automatically', async () => {
    const { call } = scenario.organization;
    const connection = await loaded(await scenario.connect(wish()));
    const change = async (leftOut: object[]) => {
      const { body } = await call.get<ConnectionEntry>(connection);
      expectStatus(await call.patch(connection, { leftOut, version: body.version }), 200);
    };
    await change([{ stream: STREAM, columns: ['campaign_name', 'conversions'] }]);
    await warehouse.query(`update ${TABLE} set campaign_name = null, conversions = null`);
    expect(await scenario.runAgain(connection)).toMatchObject(onlyLookback);
    expect(await nullsIn('campaign_name')).toBeGreaterThan(0);
    const before = await scenario.newestRun(connection);
    await change([{ stream: STREAM, columns: ['conversions'] }]);
    const run = await scenario.endedRun(connection, before.id);
    await expectReloaded(run, connection, 'campaign_name', added('campaign_name'));
    expect(await nullsIn('conversions')).toBeGreaterThan(0);
  });
});

describe('a change that prevents loading', () => {
  it('fails the run immediately with the column and one action, and the next run loads once it is undone', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await warehouse.query(`alter table ${TABLE} add column owner text not null default ''`);
    await warehouse.query(`alter table ${TABLE} alter column owner drop default; update ${TABLE} set campaign_name = 'changed'`);
    const run = await scenario.runAgain(connection);
    expect(run).toMatchObject({
      state: 'failed',
      failure: {
        class: 'schema',
        code: 'postgresql.23502',
        message: `The column "owner" of "public.${TABLE}" does not allow NULL and has no default, so no row can be written.`,
        action: 'Allow NULL in the column, or give it a default',
      },
    });
    expect(run.attempts).toHaveLength(1);
    await warehouse.query(`alter table ${TABLE} alter column owner drop not null`);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
  });
});

describe('a table that another session has locked', () => {
  it('is retried with lock waits of one second, growing pauses and no lock in between', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await warehouse.query(`alter table ${TABLE} drop column channel_type`);
    const reader = new pg.Client({ ...warehouse.settings, ssl: false });
    await reader.connect();
    await reader.query(`begin; select 1 from ${TABLE} limit 1`);
    expectStatus(await scenario.organization.call.post(`${connection}/run`), 202);
    const waitedMs = await longestQueryUntil(async () => (await scenario.newestRun(connection)).state === 'waiting');
    const first = await scenario.newestRun(connection);
    expect(waitedMs).toBeLessThan(2_000);
    expect(first.failure).toMatchObject({
      class: 'transient',
      code: 'postgresql.55p03',
      message: `"channel_type" could not be added to "public.${TABLE}": another session holds a lock on the table.`,
    });
    expect(await locksOfTributary()).toBe(0);
    await scenario.makeWaitingRunsDue();
    const second = await eventually(
      () => scenario.newestRun(connection),
      ({ state, attempts }) => state === 'waiting' && attempts.length === 2,
    );
    expect(pauseOf(second)).toBeGreaterThan(pauseOf(first) * 1.5);
    await reader.end();
    expect(await scenario.endedRunAfterPauses(connection)).toMatchObject({ state: 'succeeded' });
    expect(await nullsIn('channel_type')).toBe(0);
  });

  const pauseOf = ({ resumeAt, attempts }: RunDetail) => Date.parse(resumeAt ?? '') - Date.parse(attempts.at(-1)?.endedAt ?? '');

  const locksOfTributary = async (): Promise<number> => {
    const rows = await warehouse.query(
      `select from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where a.application_name = 'tributary' and a.datname = current_database() and l.relation = '${TABLE}'::regclass`,
    );
    return rows.length;
  };

  /** The longest wait of a dashboard's query in that time, in milliseconds. */
  async function longestQueryUntil(isOver: () => Promise<boolean>): Promise<number> {
    let longest = 0;
    while (!(await isOver())) {
      const startedAt = performance.now();
      await warehouse.query(`select count(*) from ${TABLE}`);
      longest = Math.max(longest, performance.now() - startedAt);
    }
    return longest;
  }
});

describe('a table with a column of another type, of one of two connections of a destination,', () => {
  it('makes only that connection fail: one alert, and the destination stays ready', async () => {
    const { call, path } = scenario.organization;
    const destination = await aDestination(scenario.organization, warehouse);
    const first = await loaded(await scenario.connectTo(destination, wish()));
    const second = await loaded(await scenario.connectTo(destination, { ...wish([OTHER]), streams: ['ad_group_daily'] }));
    await warehouse.query(`alter table ${TABLE} alter column clicks type text`);
    for (let round = 0; round < 2; round += 1) {
      expect(await scenario.runAgain(first)).toMatchObject({ state: 'failed', failure: { class: 'schema' } });
      expect((await call.get<DestinationEntry>(`${path}/destinations/${destination}`)).body).toMatchObject({ state: 'ready' });
      expect(await scenario.runAgain(second)).toMatchObject({ state: 'succeeded' });
    }
    await untilEventsDelivered(app);
    const { items } = await alertsOf(scenario.organization);
    expect(items.map(({ kind, state }) => ({ kind, state }))).toEqual([{ kind: 'connection.failing', state: 'open' }]);
    expect(await alertMailsOf(app, scenario.organization.id)).toHaveLength(1);
  });
});
