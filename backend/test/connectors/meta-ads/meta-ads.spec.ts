import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readFailure, toConnectorError } from '../../../src/connectors/meta-ads/errors.js';
import type { AdAccount, MetricSums, Quota, Row, Slice, Source } from '../../../src/connectors/kit/contract.js';
import { CorruptAnswer, ReconnectNeeded, RetryLater, SkipAccount } from '../../../src/connectors/kit/errors.js';
import type { TokenGrant } from '../../../src/connectors/kit/oauth/oauth.js';
import { addSums, emptySums } from '../../../src/connectors/kit/totals/sums.js';
import { aContext, collect } from '../context.js';
import { accountsOf, sliceOf, startMetaSandbox, type MetaSandbox } from './meta-sandbox.js';
import { sumRowsByDay } from '../rows.js';

/** Shares of the total. Missing parts are shown and not an error. */
const BREAKDOWNS = ['ad_age_gender_daily', 'ad_country_daily', 'ad_placement_daily'];

let sandbox: MetaSandbox;
let grant: TokenGrant;
let source: Source;
let account: (name: string) => AdAccount;

beforeAll(async () => {
  sandbox = await startMetaSandbox();
  grant = await sandbox.signIn();
  source = sandbox.source(grant);
  account = await accountsOf(source);
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

const aSlice = (streamName = 'campaign_daily', days = 5, name = 'Northwind DE'): Slice =>
  sliceOf(source, streamName, account(name), days);
const read = (slice = aSlice(), from = source) => collect(from.read(aContext(), slice), slice.stream);

describe('incomplete answers', () => {
  it('rejects truncated JSON', async () => {
    await sandbox.addFault('truncate_json');
    await expect(read()).rejects.toMatchObject({ name: 'CorruptAnswer', code: 'meta_ads.malformed_json' });
  });

  it('retries later when the connection breaks during an answer', async () => {
    await sandbox.addFault('truncate_json', { abort: true });
    await expect(read()).rejects.toBeInstanceOf(RetryLater);
  });

  it.each(streamNames().filter((name) => !BREAKDOWNS.includes(name)))(
    'rejects truncated rows of %s, with expected and found values',
    async (name) => {
      await sandbox.addFault('truncate', { rows: 2 });
      await expect(read(aSlice(name, 3))).rejects.toMatchObject({
        code: 'meta_ads.totals_differ',
        message: expect.stringMatching(/expected \d+, found \d+/),
      });
    },
  );

  it('rejects a list without its last pages', async () => {
    await sandbox.addFault('short_pages', { rows: 20 });
    await sandbox.addFault('lose_pages', { level: 'campaign' });
    await expect(read()).rejects.toMatchObject({ code: 'meta_ads.totals_differ' });
  });

  it('rejects a duplicate page', async () => {
    await sandbox.addFault('repeat_page');
    await expect(read()).rejects.toMatchObject({ code: 'meta_ads.row_repeated', failureClass: 'data' });
  });

  it('rejects a day without rows on which the account had impressions', async () => {
    await sandbox.addFault('truncate', { rows: 10_000, level: 'campaign' });
    await expect(read(aSlice('campaign_daily', 1))).rejects.toBeInstanceOf(CorruptAnswer);
  });
});

function streamNames(): string[] {
  return [
    'account_daily',
    'campaign_daily',
    'ad_set_daily',
    'ad_daily',
    'ad_age_gender_daily',
    'ad_country_daily',
    'ad_placement_daily',
    'campaign_actions_daily',
  ];
}

describe('refusals', () => {
  it('waits for Meta’s retry delay when throttled repeatedly', async () => {
    await sandbox.addFault('throttle', { waitMinutes: 3, times: 4 });
    for (let call = 0; call < 4; call++) {
      await expect(read(aSlice(), sandbox.source(grant))).rejects.toMatchObject({
        code: 'meta_ads.account_limit',
        failureClass: 'quota',
        retryAfterSeconds: 180,
        providerRequestId: expect.any(String),
      });
    }
    await expect(read(aSlice(), sandbox.source(grant))).resolves.toBeDefined();
  });

  it.each(['server_error', 'drop_connection'])('retries later after %s', async (fault) => {
    await sandbox.addFault(fault);
    await expect(read()).rejects.toMatchObject({ name: 'RetryLater', failureClass: 'transient' });
  });

  it('retries soon after a temporary error, however much of the limits is used', async () => {
    const answer = { status: 500, requestId: null };
    const body = { error: { message: 'Service temporarily unavailable', code: 2, is_transient: true } };
    expect(toConnectorError(readFailure(answer, body, 60))).toMatchObject({
      name: 'RetryLater',
      failureClass: 'transient',
      retryAfterSeconds: null,
    });
  });

  it.each([
    ['permission', {}, 'meta_ads.account_forbidden'],
    ['permission', { code: 100 }, 'meta_ads.permission_missing'],
    ['closed', {}, 'meta_ads.account_unknown'],
  ])('skips one account: %s %j', async (fault, parameters, code) => {
    await sandbox.addFault(fault, { accountId: account('Northwind US').externalId, ...parameters });
    await expect(read(aSlice('campaign_daily', 2, 'Northwind US'))).rejects.toMatchObject({ name: 'SkipAccount', code });
    await expect(read()).resolves.toMatchObject({ last: { rowCount: 0 } });
  });

  it.each([
    ['revoke', {}, 'meta_ads.app_removed'],
    ['revoke', { subcode: 459 }, 'meta_ads.checkpoint'],
    ['revoke', { subcode: 460 }, 'meta_ads.password_changed'],
    ['revoke', { subcode: 467 }, 'meta_ads.token_invalid'],
    ['expire_token', {}, 'meta_ads.token_expired'],
  ])('requires a reconnect with the reason after %s %j', async (fault, parameters, code) => {
    const own = await sandbox.signIn('limited@example.com');
    await sandbox.addFault(fault, { user: 'limited@example.com', ...parameters });
    await expect(read(aSlice(), sandbox.source(own))).rejects.toMatchObject({
      name: 'ReconnectNeeded',
      code,
      action: 'Reconnect with Meta',
    });
  });

  it('reports a rejected app secret to the operator', async () => {
    const wrong = sandbox.source(grant, {}, { appSecret: 'another' });
    await expect(read(aSlice(), wrong)).rejects.toMatchObject({ name: 'FixSettings', code: 'meta_ads.app_secret_wrong' });
  });

  it('logs once that Meta serves an ended version with a newer one', async () => {
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const ended = sandbox.source(grant, {}, { apiVersion: 'v24.0', warn });
    await ended.listAccounts(aContext());
    await ended.listAccounts(aContext());
    expect(warnings).toEqual([expect.stringContaining('auto-upgraded to v25.0 as v24.0')]);
    await sandbox.source(grant, {}, { warn }).listAccounts(aContext());
    expect(warnings).toHaveLength(1);
  });

  it('reports an unknown version to the operator', async () => {
    const wrong = sandbox.source(grant, {}, { apiVersion: 'v99.0' });
    await expect(read(aSlice(), wrong)).rejects.toMatchObject({ name: 'FixSettings', code: 'meta_ads.path_refused' });
  });

  it('retries later when the connection is refused', async () => {
    await expect(read(aSlice(), sandbox.source(grant, {}, { graphUrl: 'http://127.0.0.1:2' }))).rejects.toMatchObject({
      code: 'http.unreachable',
    });
  });
});

describe('reading', () => {
  it.each(streamNames())("reads every row of %s and matches the provider's own sums", async (streamName) => {
    for (const name of ['Northwind DE', 'Northwind US', 'Northwind JP', 'Northwind Outlet']) {
      const slice = aSlice(streamName, 6, name);
      const { rows, last } = await read(slice);
      const expected = (await sandbox.totals(slice.account.externalId, slice.from, slice.to))[streamName];
      const { rows: count, ...sums } = sumRowsByDay(rows).reduce<MetricSums>(addSums, emptySums());
      expect({
        rows: count,
        costMicros: String(sums.costMicros),
        clicks: Number(sums.clicks),
        impressions: Number(sums.impressions),
      }).toEqual(expected);
      expect(last?.providerRows).toBe(count);
      expect(Object.keys(rows[0] ?? {}).sort()).toEqual(slice.stream.columns.map(({ name: column }) => column).sort());
    }
  });

  it('reads paused, archived and deleted objects', async () => {
    const slice = { ...aSlice(), from: '2026-06-01', to: '2026-06-10' };
    const names = new Set((await read(slice)).rows.map((row) => row['campaign_name']));
    expect(names).toContain('Clearance 2025');
    expect(names).toContain('Old look-alikes');
  });

  it('reads the same rows from shorter pages than requested', async () => {
    const whole = await read(aSlice('ad_daily', 2));
    await sandbox.addFault('short_pages', { rows: 9 });
    expect((await read(aSlice('ad_daily', 2))).rows).toEqual(whole.rows);
  });

  it('requests fewer days if the first ones are no longer available, with one call each', async () => {
    await sandbox.newRequests();
    for (const from of ['2020-01-01', '2020-01-02']) {
      const old = { ...aSlice(), from, to: '2020-01-02' };
      await expect(read(old)).rejects.toMatchObject({ name: 'SplitSlice', code: 'meta_ads.too_long_ago' });
    }
    expect((await sandbox.newRequests()).filter(({ path }) => path.endsWith('/insights'))).toHaveLength(2);
  });

  it('verifies that days without delivery are empty', async () => {
    const slice = { ...aSlice(), from: '2025-01-01', to: '2025-01-05' };
    for (const stream of source.streams) {
      const { rows, last } = await read({ ...slice, stream });
      expect({ rows, providerRows: last?.providerRows }).toEqual({ rows: [], providerRows: 0 });
    }
  });

  it('counts purchases once although Meta reports them under three names', async () => {
    const slice = aSlice('campaign_daily', 10, 'Northwind DE');
    const campaigns = (await read(slice)).rows;
    const actions = (await read(aSlice('campaign_actions_daily', 10))).rows;
    const omni = actions.filter((row) => row['action_type'] === 'omni_purchase' && row['attribution_window'] === 'default');
    const sum = (rows: Row[], column: string): number => rows.reduce((total, row) => total + Number(row[column]), 0);
    expect(sum(omni, 'action_count')).toBeGreaterThan(0);
    expect(sum(campaigns, 'purchases')).toBe(sum(omni, 'action_count'));
    expect(sum(campaigns, 'purchase_value_micros')).toBe(sum(omni, 'action_value_micros'));
  });

  it('has the selected attribution windows and always that of the ad set', async () => {
    const own = sandbox.source(grant, { attributionWindows: ['1d_view'] });
    const { rows } = await read(aSlice('campaign_actions_daily', 10), own);
    expect(new Set(rows.map((row) => row['attribution_window']))).toEqual(new Set(['default', '1d_view']));
  });

  it('reads the same campaigns for the unified table, converted if there is a rate', async () => {
    const slice = aSlice('ad_performance_daily', 4, 'Northwind US');
    const context = { ...aContext(), exchange: { currency: 'EUR', rate: () => 0.5 } };
    const { rows, last } = await collect(source.read(context, slice), slice.stream);
    const campaigns = (await read(aSlice('campaign_daily', 4, 'Northwind US'))).rows;
    expect(last?.providerRows).toBe(campaigns.length);
    const sum = (all: Row[], column: string): number => all.reduce((total, row) => total + Number(row[column]), 0);
    expect(sum(rows, 'conversion_value')).toBeCloseTo(sum(campaigns, 'purchase_value_micros') / 1e6, 6);
    expect(sum(rows, 'cost_micros')).toBe(sum(campaigns, 'cost_micros'));
    for (const row of rows)
      expect(row).toMatchObject({
        platform: 'meta_ads',
        level: 'campaign',
        account_time_zone: 'America/New_York',
        currency: 'USD',
        converted_currency: 'EUR',
        converted_cost_micros: BigInt(Math.round(Number(row['cost_micros']) / 2)),
      });
  });

  it('reads a restated day again as a whole', async () => {
    const slice = sliceOf(source, 'ad_daily', account('Northwind Outlet'), 3, 60);
    const before = await read(slice);
    await sandbox.addFault('restate', { accountId: slice.account.externalId, from: slice.from, to: slice.to });
    const after = await read(slice);
    expect(after.rows).not.toEqual(before.rows);
    expect(after.last?.providerRows).toBe(
      (await sandbox.totals(slice.account.externalId, slice.from, slice.to))['ad_daily']?.rows,
    );
  });

  it('records each request without its token and app secret proof', async () => {
    const context = aContext();
    await collect(source.read(context, aSlice()));
    expect(context.requests.length).toBeGreaterThan(1);
    expect(context.requests[0]).toMatchObject({ method: 'GET', status: 200, providerRequestId: expect.any(String) });
    const text = JSON.stringify(context.requests);
    for (const secret of [grant.accessToken, 'appsecret_proof', 'access_token']) expect(text).not.toContain(secret);
    expect((await sandbox.newRequests()).at(-1)?.query).toHaveProperty('appsecret_proof', '***');
  });
});

describe('Meta’s limits', () => {
  it('are reported, and calls are paced before they are reached', async () => {
    const quotas: Quota[] = [];
    const context = { ...aContext(), onQuota: (quota: Quota) => void quotas.push(quota) };
    await collect(sandbox.source(grant).read(context, aSlice('campaign_daily', 1)));
    expect(quotas.every(({ usedPercent }) => usedPercent < 75)).toBe(true);
    await sandbox.addFault('load', { percent: 79 });
    const startedAt = performance.now();
    await collect(sandbox.source(grant).read(context, aSlice('campaign_daily', 1)));
    expect(performance.now() - startedAt).toBeGreaterThan(500);
    expect(quotas.at(-1)).toEqual({ usedPercent: 79, resetAt: expect.any(Date) });
  });

  it('do not delay an abort', async () => {
    const controller = new AbortController();
    await sandbox.addFault('load', { percent: 99 });
    const reading = collect(sandbox.source(grant).read({ ...aContext(), signal: controller.signal }, aSlice()));
    setTimeout(() => controller.abort(new Error('the run was cancelled')), 300);
    await expect(reading).rejects.toThrow('the run was cancelled');
  });
});

describe('accounts', () => {
  it('are listed with currency, time zone and business', async () => {
    await sandbox.addFault('short_pages', { rows: 2 });
    const listed = await source.listAccounts(aContext());
    expect(listed.map(({ name, currency, timeZone, managerName }) => [name, currency, timeZone, managerName])).toEqual([
      ['Northwind DE', 'EUR', 'Europe/Berlin', 'Northwind Group'],
      ['Northwind JP', 'JPY', 'Asia/Tokyo', 'Northwind Group'],
      ['Northwind Outlet', 'GBP', 'Europe/London', null],
      ['Northwind US', 'USD', 'America/New_York', 'Northwind Group'],
    ]);
  });

  it('are listed as disabled when closed, and skipped when forbidden', async () => {
    const own = sandbox.source(await sandbox.signIn('limited@example.com'));
    const listed = await own.listAccounts(aContext());
    expect(listed.map(({ name, status }) => [name, status])).toContainEqual(['Northwind AT (closed)', 'disabled']);
    const forbidden = listed.find(({ name }) => name === 'Northwind US') as AdAccount;
    await expect(read({ ...aSlice(), account: forbidden }, own)).rejects.toBeInstanceOf(SkipAccount);
  });

  it('are required: another user must connect if there are none', async () => {
    const own = sandbox.source(await sandbox.signIn('nobody@example.com'));
    await expect(own.listAccounts(aContext())).rejects.toMatchObject({ name: 'ReconnectNeeded', code: 'meta_ads.no_ad_account' });
  });

  it('cannot be listed without the granted scope', async () => {
    const own = await sandbox.signIn('limited@example.com', []);
    await expect(sandbox.source(own).listAccounts(aContext())).rejects.toMatchObject({
      name: 'ReconnectNeeded',
      code: 'meta_ads.account_forbidden',
      message: 'The connected Facebook user has not granted permission to read ads, or has removed it.',
    });
    expect(own.grantedScopes).not.toContain('ads_read');
  });

  it('are requested again later if Meta refuses the list although the permission is granted', async () => {
    await sandbox.addFault('app_blocked', { reason: 'owner', times: 1 });
    await expect(source.listAccounts(aContext())).rejects.toMatchObject({
      name: 'RetryLater',
      code: 'meta_ads.account_forbidden',
    });
  });

  it.each([
    ['blocked', 'FixSettings', 'meta_ads.app_blocked'],
    ['capability', 'FixSettings', 'meta_ads.no_capability'],
    ['behalf', 'RetryLater', 'meta_ads.user_refused'],
  ])('and reports are refused for all accounts when Meta refuses the app: %s', async (reason, name, code) => {
    await sandbox.addFault('app_blocked', { reason });
    await expect(source.listAccounts(aContext())).rejects.toMatchObject({ name, code });
    await expect(read()).rejects.toMatchObject({ name, code });
  });

  it('can change for 28 days', async () => {
    expect(await source.lookbackDays(aContext(), account('Northwind DE'))).toBe(28);
  });
});

it('a revoked sign-in is not transient', async () => {
  const own = await sandbox.signIn('nobody@example.com');
  await sandbox.oauthFlow.revoke(own, aContext().signal);
  await expect(sandbox.oauthFlow.refresh(own, aContext().signal)).rejects.toBeInstanceOf(ReconnectNeeded);
  await expect(sandbox.oauthFlow.revoke(own, aContext().signal)).resolves.toBeUndefined();
});
