import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../../../test/factories.js';
import { aPlatformScenario, type PlatformScenario } from '../../../test/platform-scenario.js';
import { googleAds, metaAds, microsoftAds, type Platform } from '../../../test/platforms.js';
import type { ConnectionReconciliation, ReconciliationEntry } from './reconciliations.dto.js';
import { Reconciliations } from './reconciliations.service.js';

/** The scenario's lookback window has three days. */
const HISTORY_DAYS = 30;
const STREAM = 'campaign_daily';

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
beforeEach(() => sandbox.clearFaults());

async function aLoadedConnection(platform: Platform, streams = [STREAM]): Promise<string> {
  for (const stream of streams) await warehouse.query(`drop table if exists ${platform.provider}_${stream}`);
  scenario = await aPlatformScenario(app, sandbox, warehouse, platform);
  const connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  return connection;
}

const idOf = (connection: string) => connection.split('/').at(-1);
const find = async (connection: string) =>
  expectStatus(await scenario.organization.call.get<ConnectionReconciliation>(`${connection}/reconciliation`), 200).body;
const restate = (from: number, to: number) =>
  scenario.fault('restate', {
    [scenario.platform.parameter]: scenario.platform.accounts[0],
    from: daysAgo(from),
    to: daysAgo(to),
  });

async function ended(connection: string, since: string | null): Promise<ReconciliationEntry> {
  const answer = await eventually(
    () => find(connection),
    ({ current, last }) => current === null && last !== null && last.id !== since,
  );
  return answer.last as ReconciliationEntry;
}
async function reconcile(connection: string): Promise<ReconciliationEntry> {
  const before = (await find(connection)).last?.id ?? null;
  expectStatus(await scenario.organization.call.post(`${connection}/reconciliation`), 202);
  return ended(connection, before);
}
async function reconcileAtNight(connection: string): Promise<ReconciliationEntry> {
  const before = (await find(connection)).last?.id ?? null;
  await app.get(Reconciliations).startNightly();
  await app.database.query(`update graphile_worker._private_jobs set run_at = now() where key like 'reconcile:%'`);
  return ended(connection, before);
}
/** The repair run is queued after the reconciliation has ended. */
const repairRun = (connection: string) =>
  eventually(
    () => scenario.newestRun(connection),
    ({ trigger, endedAt }) => trigger === 'reconciliation' && endedAt !== null,
  );
const platformCalls = async () => (await scenario.requests()).filter(({ path }) => !/oauth|token/i.test(path)).length;
const appSet = (assignment: string) =>
  app.database.query(`update apps set ${assignment} where organization_id = $1 and provider = $2`, [
    scenario.organization.id,
    scenario.platform.provider,
  ]);
const setDay = (connection: string, day: string, assignment: string) =>
  app.database.query(`update coverage set ${assignment} where connection_id = $1 and day = $2`, [idOf(connection), day]);

describe('a reconciliation is skipped', () => {
  it('with the reason and without a request, while the app needs to be reconnected', async () => {
    const connection = await aLoadedConnection(googleAds);
    await appSet(`state = 'needs_reauth'`);
    const calls = await platformCalls();
    expect(await reconcileAtNight(connection)).toMatchObject({
      state: 'skipped',
      trigger: 'night',
      failure: { class: 'auth', action: 'Reconnect the app' },
      apiCalls: 0,
    });
    expect(await platformCalls()).toBe(calls);
    await appSet(`state = 'connected'`);
  });

  it('at night if most of the quota is used, but not when a user requests it', async () => {
    const connection = await aLoadedConnection(googleAds);
    await appSet(`quota = jsonb_build_object('usedPercent', 85, 'resetAt', null, 'at', now())`);
    expect(await reconcileAtNight(connection)).toMatchObject({ state: 'skipped', failure: { class: 'quota' }, apiCalls: 0 });
    expect(await reconcile(connection)).toMatchObject({ state: 'done' });
  });

  it('at night if the platform throttles it', async () => {
    const connection = await aLoadedConnection(googleAds);
    await scenario.fault('throttle');
    expect(await reconcileAtNight(connection)).toMatchObject({ state: 'skipped', failure: { class: 'quota' } });
  });
});

it('a rejected account fails nothing: it is counted, and the day stays as it was', async () => {
  const connection = await aLoadedConnection(googleAds);
  await restate(20, 20);
  await scenario.fault('permission', { customerId: googleAds.accounts[0] });
  expect(await reconcile(connection)).toMatchObject({
    state: 'done',
    accounts: 0,
    skippedAccounts: 1,
    restatedAccountDays: 0,
    runId: null,
  });
});

describe.each([googleAds, metaAds, microsoftAds])('a reconciliation with $provider', (platform) => {
  it('finds no difference in equal numbers with few requests, and then a restated day, which is loaded again once', async () => {
    const connection = await aLoadedConnection(platform);
    const equal = await reconcile(connection);
    expect(equal).toMatchObject({
      state: 'done',
      trigger: 'user',
      accounts: 1,
      skippedAccounts: 0,
      differences: [],
      runId: null,
    });
    expect(equal.accountDays).toBe(HISTORY_DAYS);
    expect(equal.apiCalls).toBeLessThanOrEqual(platform === microsoftAds ? 6 : 1);
    expect(equal.excludedAccounts).toBeGreaterThan(0);

    await restate(20, 19);
    const found = await reconcile(connection);
    expect(found).toMatchObject({ state: 'done', restatedAccountDays: 2, lostAccountDays: 0, lateAccountDays: 0 });
    expect(found.differences).toMatchObject([
      { kind: 'restated', stream: STREAM, accountId: platform.accounts[0], from: daysAgo(20), to: daysAgo(19), days: 2 },
    ]);
    expect(found.differences[0]?.loaded).not.toEqual(found.differences[0]?.platform);

    const run = await repairRun(connection);
    expect(run).toMatchObject({ state: 'succeeded', kind: 'repair' });
    expect((await find(connection)).last?.runId).toBe(run.id);
    await scenario.expectEqualSums([platform.accounts[0]], HISTORY_DAYS, [STREAM]);
    const changes = await scenario.organization.call.get<{ items: { date: string }[] }>(
      `${connection}/restatements?kind=restated`,
    );
    expect(changes.body.items.map(({ date }) => date)).toEqual([daysAgo(19), daysAgo(20)]);
    expect(await reconcile(connection)).toMatchObject({ state: 'done', differences: [], runId: null });
  });
});

it('calls a change within the lookback window late and leaves it to the next run', async () => {
  const connection = await aLoadedConnection(metaAds);
  await restate(2, 2);
  const found = await reconcile(connection);
  expect(found).toMatchObject({ lateAccountDays: 1, restatedAccountDays: 0, lostAccountDays: 0, runId: null });
  expect(found.differences).toMatchObject([{ kind: 'late', from: daysAgo(2), to: daysAgo(2) }]);
  expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', trigger: 'user' });
  expect(await reconcile(connection)).toMatchObject({ differences: [] });
});

it('numbers that move with every read are late, never lost', async () => {
  const connection = await aLoadedConnection(metaAds);
  await scenario.fault('numbers_move', { days: 3, percent: 2 });
  await reconcile(connection);
  const found = await reconcile(connection);
  expect(found).toMatchObject({ restatedAccountDays: 0, lostAccountDays: 0, runId: null });
  expect(found.lateAccountDays).toBeGreaterThan(0);
});

it('finds a day whose rows are missing and loads it again', async () => {
  const connection = await aLoadedConnection(microsoftAds);
  const day = daysAgo(15);
  await warehouse.query(`delete from microsoft_ads_${STREAM} where date = $1`, [day]);
  await setDay(connection, day, `state = 'empty_confirmed', rows = 0, cost_micros = 0, clicks = 0, impressions = 0`);
  const found = await reconcile(connection);
  expect(found.differences).toMatchObject([{ kind: 'lost', from: day, to: day, loaded: { costMicros: '0', clicks: 0 } }]);
  expect(await repairRun(connection)).toMatchObject({ state: 'succeeded' });
  await scenario.expectEqualSums([microsoftAds.accounts[0]], HISTORY_DAYS, [STREAM]);
});

it('does not repair a day twice for the same total', async () => {
  const connection = await aLoadedConnection(googleAds);
  await setDay(connection, daysAgo(15), 'clicks = clicks - 1');
  expect(await reconcile(connection)).toMatchObject({ restatedAccountDays: 1 });
  await repairRun(connection);
  // The repaired rows still add up to less.
  await setDay(connection, daysAgo(15), 'clicks = clicks - 1');
  expect(await reconcile(connection)).toMatchObject({
    excludedAccountDays: 1,
    restatedAccountDays: 0,
    lostAccountDays: 0,
    runId: null,
  });
});

it('calls streams that list a part of the total excluded, until the total changes', async () => {
  const connection = await aLoadedConnection(googleAds, ['search_term_daily']);
  const found = await reconcile(connection);
  expect(found).toMatchObject({ restatedAccountDays: 0, lostAccountDays: 0, runId: null });
  expect(found.excludedAccountDays).toBeGreaterThan(0);
  expect(found.differences.every(({ kind, stream }) => kind !== 'lost' && stream === 'search_term_daily')).toBe(true);
  await restate(20, 20);
  const changed = await reconcile(connection);
  expect(changed.differences[0]).toMatchObject({ kind: 'restated', from: daysAgo(20), to: daysAgo(20) });
  expect(await repairRun(connection)).toMatchObject({ state: 'succeeded' });
  expect(await reconcile(connection)).toMatchObject({ restatedAccountDays: 0, runId: null });
});

describe('what the user left out is excluded', () => {
  const exclusionsOf = ({ exclusions }: ReconciliationEntry) =>
    Object.fromEntries(exclusions.map(({ kind, ...one }) => [kind, one]));

  it('accounts that are not selected are named, and not requested', async () => {
    const connection = await aLoadedConnection(googleAds);
    const calls = await platformCalls();
    const found = await reconcile(connection);
    expect(await platformCalls()).toBe(calls + 1);
    const { accounts } = exclusionsOf(found);
    expect(accounts).toMatchObject({ count: found.excludedAccounts, reason: expect.stringContaining('not selected') });
    expect(accounts?.names.length).toBe(Math.min(found.excludedAccounts, 20));
  });

  it('a difference of a stream that is no longer selected is excluded, and its days are not loaded again', async () => {
    const connection = await aLoadedConnection(googleAds, [STREAM, 'ad_group_daily']);
    const { call } = scenario.organization;
    const { version } = expectStatus(await call.get<{ version: number }>(connection), 200).body;
    expectStatus(await call.patch(connection, { streams: [STREAM], version }), 200);
    await scenario.endedRun(connection);
    await restate(20, 20);
    const found = await reconcile(connection);
    expect(found).toMatchObject({ restatedAccountDays: 1, excludedAccountDays: 1, lostAccountDays: 0 });
    expect(found.differences).toMatchObject([
      { kind: 'restated', stream: STREAM, from: daysAgo(20) },
      { kind: 'excluded', stream: 'ad_group_daily', from: daysAgo(20), reason: expect.stringContaining('not selected') },
    ]);
    expect(exclusionsOf(found)['streams']?.names).toContain('ad_group_daily');
    expect(await repairRun(connection)).toMatchObject({ state: 'succeeded' });
    expect(await reconcile(connection)).toMatchObject({ restatedAccountDays: 0, excludedAccountDays: 1, runId: null });
  });

  it('columns that are not written and days before the history make no difference, and are named', async () => {
    const connection = await aLoadedConnection(googleAds);
    const { call } = scenario.organization;
    const { version } = expectStatus(await call.get<{ version: number }>(connection), 200).body;
    expectStatus(await call.patch(connection, { leftOut: [{ stream: STREAM, columns: ['campaign_name'] }], version }), 200);
    await scenario.endedRun(connection);
    const found = await reconcile(connection);
    expect(found).toMatchObject({ state: 'done', differences: [], excludedAccountDays: 0 });
    expect(exclusionsOf(found)).toMatchObject({
      columns: { count: 1, names: [`${STREAM}.campaign_name`] },
      days: { count: 1, reason: expect.stringContaining(daysAgo(HISTORY_DAYS)) },
    });
  });
});

describe('at the same time', () => {
  it('several requests queue one reconciliation', async () => {
    const connection = await aLoadedConnection(googleAds);
    const { call } = scenario.organization;
    for (const answer of await Promise.all([1, 2, 3].map(() => call.post(`${connection}/reconciliation`))))
      expectStatus(answer, 202);
    await ended(connection, null);
    const [row] = await app.database.query<{ count: number }>(
      'select count(*)::int as count from reconciliations where connection_id = $1',
      [idOf(connection)],
    );
    expect(row).toEqual({ count: 1 });
  });

  it('a reconciliation waits for an active run', async () => {
    const connection = await aLoadedConnection(googleAds);
    await scenario.fault('slow', { delayMs: 1_500, times: 2 });
    expectStatus(await scenario.organization.call.post(`${connection}/run`), 202);
    const found = await reconcile(connection);
    expect(found).toMatchObject({ state: 'done', differences: [] });
    expect((await scenario.newestRun(connection)).endedAt?.localeCompare(found.startedAt ?? '')).toBe(-1);
  });

  it('a run, an audit and a reconciliation of the same days all end, and every day is complete', async () => {
    const connection = await aLoadedConnection(googleAds);
    await restate(20, 10);
    await warehouse.query(`delete from google_ads_${STREAM} where date between $1 and $2`, [daysAgo(16), daysAgo(6)]);
    const { call } = scenario.organization;
    const answers = await Promise.all(['reconciliation', 'audit', 'run'].map((action) => call.post(`${connection}/${action}`)));
    for (const answer of answers) expectStatus(answer, 202);
    expect(await ended(connection, null)).toMatchObject({ state: 'done' });
    await eventually(
      async () => {
        const audit = await call.get<{ current: object | null; last: object | null }>(`${connection}/audit`);
        const run = await scenario.newestRun(connection);
        return audit.body.current === null && audit.body.last !== null && run.endedAt !== null;
      },
      (isIdle) => isIdle,
    );
    // Either of the two may have been first; both together find and repair everything.
    await reconcile(connection);
    await scenario.endedRun(connection);
    await scenario.runAgain(connection);
    await scenario.expectEqualSums([googleAds.accounts[0]], HISTORY_DAYS, [STREAM]);
  });
});

it('the nightly job reconciles active connections and skips paused ones', async () => {
  const connection = await aLoadedConnection(googleAds);
  const paused = await scenario.connect({ historyDays: 3, streams: [STREAM] });
  await scenario.endedRun(paused);
  expectStatus(await scenario.organization.call.post(`${paused}/pause`), 200);
  expect(await reconcileAtNight(connection)).toMatchObject({ trigger: 'night', requestedBy: null, state: 'done' });
  expect(await find(paused)).toEqual({ isReconciled: true, current: null, last: null });
});
