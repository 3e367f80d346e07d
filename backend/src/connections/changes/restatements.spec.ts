import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { daysAgo, expectStatus } from '../../../test/factories.js';
import { aPlatformScenario, type PlatformScenario } from '../../../test/platform-scenario.js';
import { googleAds } from '../../../test/platforms.js';
import { CHANGE_DAYS, DeleteOldChanges } from '../../sync/jobs/delete-old-changes.js';
import type { RestatementEntry, RestatementPage, SettlingTimes } from './restatements.dto.js';
import { NEEDED_DAYS } from './settling-times.queries.js';

const STREAM = 'campaign_daily';
const TABLE = `google_ads_${STREAM}`;
const HISTORY_DAYS = 40;
const [LONDON] = googleAds.accounts;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let connection: string;

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
  await warehouse.query(`drop table if exists ${TABLE}`);
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: [STREAM] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
});

const idOf = () => connection.split('/').at(-1);
const list = async (query = '') =>
  expectStatus(await scenario.organization.call.get<RestatementPage>(`${connection}/restatements?limit=100${query}`), 200).body;
const settling = async () =>
  expectStatus(await scenario.organization.call.get<SettlingTimes>(`${connection}/restatements/settling`), 200).body;
const restate = (from: number, to: number) =>
  scenario.fault('restate', { [googleAds.parameter]: LONDON, from: daysAgo(from), to: daysAgo(to) });
const markMissing = (day: string) =>
  app.database.query(`update coverage set state = 'missing' where connection_id = $1 and day = $2`, [idOf(), day]);
const countChanges = async () => {
  const [row] = await app.database.query<{ changes: number }>(
    'select count(*)::int as changes from coverage_changes where connection_id = $1',
    [idOf()],
  );
  return row?.changes ?? -1;
};
const atWarehouse = async (day: string) => {
  const [sums] = await warehouse.query<RestatementEntry['current'] & Record<string, unknown>>(
    `select count(*)::int as rows, sum(cost_micros)::text as "costMicros", sum(clicks)::int as clicks,
            sum(impressions)::int as impressions, sum(conversions) as conversions
       from ${TABLE} where date = $1`,
    [day],
  );
  return sums && { ...sums, conversions: expect.closeTo(Number(sums['conversions']), 6) };
};

describe('the list of changes', () => {
  it.each([
    ['cursor=bm90LWEtY3Vyc29y', 'cursor'],
    ['kind=some', 'kind'],
    ['from=2026-02-30', 'from'],
    ['to=yesterday', 'to'],
  ])('rejects %s and names the field', async (query, field) => {
    const answer = await scenario.organization.call.get<{ errors: { field: string }[] }>(`${connection}/restatements?${query}`);
    expect(expectStatus(answer, 400).body.errors).toMatchObject([{ field }]);
  });

  it('stays empty when a run loads the same numbers again', async () => {
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    expect(await list()).toEqual({ items: [], nextCursor: null });
    expect(await countChanges()).toBe(0);
  });

  it('has no entry for days whose rows arrived changed and were loaded correctly afterwards', async () => {
    await warehouse.query(
      `create or replace function one_more() returns trigger language plpgsql as $$ begin new.clicks := new.clicks + 1; return new; end $$;
       create trigger one_more before insert on ${TABLE} for each row execute function one_more()`,
    );
    await restate(2, 2);
    expect(await scenario.runAgain(connection)).not.toMatchObject({ state: 'succeeded' });
    expect(await countChanges()).toBe(0);
    await warehouse.query(`drop trigger one_more on ${TABLE}`);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    expect((await list()).items).toMatchObject([{ date: daysAgo(2), revisions: 1, current: await atWarehouse(daysAgo(2)) }]);
  });

  it('shows the sums of a recent day at the first load and now, and the run that changed it', async () => {
    const [first, kept] = [await atWarehouse(daysAgo(2)), await atWarehouse(daysAgo(1))];
    await restate(2, 2);
    const run = await scenario.runAgain(connection);
    const { items } = await list();
    expect(items).toEqual([
      {
        stream: STREAM,
        accountId: LONDON,
        accountName: expect.any(String),
        currency: expect.stringMatching(/^[A-Z]{3}$/),
        date: daysAgo(2),
        state: 'provisional',
        revisions: 1,
        firstLoadedAt: expect.any(String),
        lastChangedAt: expect.any(String),
        lastChangedAfterDays: expect.any(Number),
        firstLoad: first,
        settled: null,
        current: await atWarehouse(daysAgo(2)),
      },
    ]);
    expect(items[0]?.current).not.toEqual(items[0]?.firstLoad);
    expect(await atWarehouse(daysAgo(1))).toEqual(kept);
    const [change] = await app.database.query(
      'select run_id as "runId", revision from coverage_changes where connection_id = $1',
      [idOf()],
    );
    expect(change).toEqual({ runId: run.id, revision: 1 });
    await restate(2, 2);
    await scenario.runAgain(connection);
    expect((await list()).items).toMatchObject([{ revisions: 2, firstLoad: first, current: await atWarehouse(daysAgo(2)) }]);
  });

  it('marks a settled day that changed as restated, also after it was marked as missing', async () => {
    const day = daysAgo(20);
    const settled = await atWarehouse(day);
    await restate(20, 20);
    await restate(1, 1);
    await markMissing(day);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    expect((await list()).items.map(({ date }) => date)).toEqual([daysAgo(1), day]);
    const { items } = await list('&kind=restated');
    expect(items).toMatchObject([{ date: day, state: 'restated', settled, firstLoad: settled, current: await atWarehouse(day) }]);
    expect(items[0]?.lastChangedAfterDays).toBeGreaterThanOrEqual(19);
    await markMissing(day);
    await scenario.runAgain(connection);
    expect((await list('&kind=restated')).items).toMatchObject([{ date: day, state: 'restated', revisions: 1 }]);
  });

  it('can be read in pages and filtered by stream, account and day', async () => {
    await restate(3, 1);
    await scenario.runAgain(connection);
    const { items } = await list();
    expect(items.map(({ date }) => date)).toEqual([daysAgo(1), daysAgo(2), daysAgo(3)]);
    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: RestatementPage = (
        await scenario.organization.call.get<RestatementPage>(
          `${connection}/restatements?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
        )
      ).body;
      paged.push(...page.items.map(({ date }) => date));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(items.map(({ date }) => date));
    expect((await list(`&from=${daysAgo(2)}&to=${daysAgo(2)}`)).items).toMatchObject([{ date: daysAgo(2) }]);
    expect((await list(`&account=${LONDON}&stream=${STREAM}`)).items).toHaveLength(3);
    expect((await list('&account=1')).items).toEqual([]);
    expect((await list('&stream=ad_daily')).items).toEqual([]);
  });

  it('forgets changes after 400 days and keeps the coverage', async () => {
    await restate(2, 1);
    await scenario.runAgain(connection);
    const age = (days: number, day: string) =>
      app.database.query(
        `update coverage_changes set changed_at = now() - make_interval(days => $3, mins => 1) where connection_id = $1 and day = $2`,
        [idOf(), day, days],
      );
    await age(CHANGE_DAYS, daysAgo(2));
    await age(CHANGE_DAYS - 1, daysAgo(1));
    await app.get(DeleteOldChanges).deleteOld();
    const left = await app.database.query<{ day: string }>('select day::text from coverage_changes where connection_id = $1', [
      idOf(),
    ]);
    expect(left).toEqual([{ day: daysAgo(1) }]);
    const [coverage] = await app.database.query<{ revisions: number }>(
      'select revisions from coverage where connection_id = $1 and day = $2',
      [idOf(), daysAgo(2)],
    );
    expect(coverage).toEqual({ revisions: 1 });
  });
});

describe('the settling time', () => {
  /** The first `days` settled days were loaded on the day after, all others a month later. */
  const loadedInTime = (days: number) =>
    app.database.query(
      `update coverage set first_loaded_at = (day + case when day >= current_date - $2::int then 1 else 30 end) + time '12:00',
              state = case when state = 'provisional' then state else 'final' end where connection_id = $1`,
      [idOf(), days],
    );
  const addChange = (day: string, ageDays: number, metric: 'conversions' | 'cost_micros') =>
    app.database.query(
      `insert into coverage_changes (organization_id, connection_id, stream, account_id, day, changed_at, revision, run_id, age_days,
              was_settled, rows_before, rows_after, cost_micros_before, cost_micros_after, clicks_before, clicks_after,
              impressions_before, impressions_after, conversions_before, conversions_after)
       select organization_id, connection_id, stream, account_id, day, first_loaded_at + make_interval(days => $3), 1, run_id, $3, false,
              rows, rows, cost_micros, cost_micros + case when $4 = 'cost_micros' then 1 else 0 end, clicks, clicks,
              impressions, impressions, conversions, conversions + case when $4 = 'conversions' then 1 else 0 end
         from coverage where connection_id = $1 and day = $2`,
      [idOf(), day, ageDays, metric],
    );
  const settledDays = async () => {
    const rows = await app.database.query<{ day: string }>(
      `select day::text from coverage where connection_id = $1 and state = 'final' and first_loaded_at::date - day = 1 order by day`,
      [idOf()],
    );
    return rows.map(({ day }) => day);
  };

  it('is unknown, with the reason, until enough days have settled', async () => {
    expect(await settling()).toMatchObject({
      stream: STREAM,
      neededDays: NEEDED_DAYS,
      accounts: [{ accountId: LONDON, conversions: { days: null, reason: 'not_enough_days' }, cost: { days: null } }],
    });
    await loadedInTime(10);
    const [account] = (await settling()).accounts;
    expect(account?.knownDays).toBeLessThan(NEEDED_DAYS);
    expect(account?.clicks).toEqual({ days: null, reason: 'not_enough_days' });
  });

  it('is the number of days after which 95 % of the days no longer changed, by metric', async () => {
    await loadedInTime(40);
    const days = await settledDays();
    expect(days.length).toBeGreaterThan(30);
    const late = Math.floor(days.length * 0.05);
    // A few days above the 95 % changed much later.
    for (const [index, day] of days.entries()) await addChange(day, index < late ? 25 : (index % 9) + 1, 'conversions');
    for (const day of days.slice(0, late)) await addChange(day, 28, 'cost_micros');
    expect((await settling()).accounts).toMatchObject([
      {
        knownDays: days.length,
        conversions: { days: 9, reason: null },
        cost: { days: 0, reason: null },
        clicks: { days: 0, reason: null },
      },
    ]);
    await addChange(days[late] ?? '', 28, 'cost_micros');
    expect((await settling()).accounts).toMatchObject([{ cost: { days: 28, reason: null } }]);
  });

  it('says that a stream has no conversions', async () => {
    await loadedInTime(40);
    await app.database.query('update coverage set conversions = null where connection_id = $1', [idOf()]);
    expect((await settling()).accounts).toMatchObject([
      { conversions: { days: null, reason: 'not_in_stream' }, cost: { days: 0 } },
    ]);
  });
});
