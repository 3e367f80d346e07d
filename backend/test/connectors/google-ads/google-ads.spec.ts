import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ANSWER_TIMEOUT_MS } from '../../../src/connectors/google-ads/api.js';
import { googleAdsSource } from '../../../src/connectors/google-ads/index.js';
import type { AccessTokenProvider, AdAccount, MetricSums, Slice, Source, Stream } from '../../../src/connectors/kit/contract.js';
import type { TokenGrant } from '../../../src/connectors/kit/oauth/oauth.js';
import { addDays, dayInTimeZone } from '../../../src/connectors/kit/days.js';
import { addSums, emptySums } from '../../../src/connectors/kit/totals/sums.js';
import {
  CorruptAnswer,
  FixSettings,
  ReconnectNeeded,
  RetryLater,
  SkipAccount,
  SplitSlice,
} from '../../../src/connectors/kit/errors.js';
import { reports } from '../../../src/connectors/google-ads/streams.js';
import { toConnectorError } from '../../../src/connectors/google-ads/errors.js';
import { aContext, collect } from '../context.js';
import { withShortFetches } from '../fetch-limits.js';
import { sumRowsByDay } from '../rows.js';
import { oauthFlowOf, startSandbox, type Sandbox } from '../sandbox-process.js';

let sandbox: Sandbox;
let grant: TokenGrant;
let source: Source;
let accounts: AdAccount[];

beforeAll(async () => {
  sandbox = await startSandbox();
  grant = await sandbox.signIn('demo@example.com');
  source = sourceOf(grant);
  accounts = await source.listAccounts(aContext());
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

/** Like the product: the stored token, and a fresh one after a rejection. */
function sourceOf(from: TokenGrant, baseUrl = `${sandbox.url}/google-ads`, apiVersion = 'v26', answerTimeoutMs?: number): Source {
  let current = from.accessToken;
  const accessToken: AccessTokenProvider = {
    async accessToken(signal, options) {
      if (options?.refused !== undefined) current = (await oauthFlowOf(sandbox.oauth).refresh(from, signal)).accessToken;
      return current;
    },
  };
  return googleAdsSource({ baseUrl, apiVersion, answerTimeoutMs }, accessToken);
}

function account(name: string): AdAccount {
  const found = accounts.find((one) => one.name === name);
  if (!found) throw new Error(`the sandbox has no account ${name}`);
  return found;
}

function aSlice(overrides: Partial<Slice> & { streamName?: string; days?: number } = {}): Slice {
  const one = overrides.account ?? account('Northwind DE');
  const to = addDays(dayInTimeZone(new Date(), one.timeZone), -1);
  const stream = source.streams.find(({ name }) => name === (overrides.streamName ?? 'campaign_daily')) as Stream;
  return { stream, account: one, from: addDays(to, 1 - (overrides.days ?? 5)), to, ...overrides };
}

const daysBeforeToday = (days: number) => addDays(dayInTimeZone(new Date(), 'UTC'), -days);

const read = (slice = aSlice(), from = source) => collect(from.read(aContext(), slice), slice.stream);

describe('incomplete answers', () => {
  it('rejects truncated JSON', async () => {
    await sandbox.addFault({ fault: 'truncate_json' });
    await expect(read()).rejects.toBeInstanceOf(CorruptAnswer);
  });

  it('retries later when the connection breaks during an answer', async () => {
    await sandbox.addFault({ fault: 'truncate_json', abort: true });
    await expect(read()).rejects.toBeInstanceOf(RetryLater);
  });

  it('rejects rows that do not add up to the totals, with expected and found values', async () => {
    await sandbox.addFault({ fault: 'truncate_rows' });
    await expect(read()).rejects.toMatchObject({
      code: 'google_ads.totals_differ',
      message: expect.stringMatching(/expected \d+, found \d+/),
    });
  });

  it('rejects a duplicate page', async () => {
    await sandbox.addFault({ fault: 'repeat_page' });
    await expect(read()).rejects.toMatchObject({ code: 'google_ads.row_repeated', failureClass: 'data' });
  });
});

describe('refusals', () => {
  it('waits for Google’s retry delay when throttled', async () => {
    await sandbox.addFault({ fault: 'throttle', retryDelaySeconds: 7 });
    await expect(read()).rejects.toMatchObject({
      failureClass: 'quota',
      retryAfterSeconds: 7,
      providerRequestId: expect.any(String),
    });
  });

  it.each(['server_error', 'unavailable', 'drop_connection'])('retries later after %s', async (fault) => {
    await sandbox.addFault({ fault });
    await expect(read()).rejects.toMatchObject({ name: 'RetryLater', failureClass: 'transient' });
  });

  it('splits a slice whose first days are too old', async () => {
    const slice = aSlice({ from: daysBeforeToday(1_180), to: daysBeforeToday(1_100) });
    await expect(read(slice)).rejects.toMatchObject({ name: 'SplitSlice' });
  });

  it('splits it with the error of versions before 24 too', () => {
    const failure = { status: 400, code: 'dateRangeError.INVALID_DATE', retryAfterSeconds: null, requestId: null };
    expect(toConnectorError(failure)).toMatchObject({ name: 'SplitSlice' });
  });

  it('skips an account without permission', async () => {
    await sandbox.addFault({ fault: 'permission', customerId: account('Northwind US').externalId });
    await expect(read(aSlice({ account: account('Northwind US') }))).rejects.toMatchObject({
      name: 'SkipAccount',
      code: 'google_ads.user_permission_denied',
      action: expect.stringContaining('access'),
    });
    await expect(read()).resolves.toMatchObject({ last: { rowCount: 0 } });
  });

  it('skips an inactive account', async () => {
    await sandbox.addFault({ fault: 'not_enabled', customerId: account('Northwind DE').externalId });
    await expect(read()).rejects.toBeInstanceOf(SkipAccount);
  });

  it('requires a reconnect when access was revoked', async () => {
    const own = await sandbox.signIn('limited@example.com');
    await sandbox.addFault({ fault: 'revoke', user: 'limited@example.com' });
    await expect(read(aSlice(), sourceOf(own))).rejects.toMatchObject({
      name: 'ReconnectNeeded',
      action: 'Reconnect with Google',
    });
  });

  it('requires a reconnect when the scope was not granted', async () => {
    const own = await sandbox.signIn('demo@example.com', []);
    await expect(sourceOf(own).listAccounts(aContext())).rejects.toBeInstanceOf(ReconnectNeeded);
  });

  it.each([
    ['authenticationError', 'ORGANIZATION_NOT_APPROVED'],
    ['authenticationError', 'DEVELOPER_TOKEN_INVALID'],
    ['authorizationError', 'SERVICE_ACCESS_DENIED'],
    ['authorizationError', 'CLOUD_PROJECT_NOT_UNDER_ORGANIZATION'],
    ['errorInfo', 'CONSUMER_SUSPENDED'],
    ['errorInfo', 'USER_PROJECT_DENIED'],
    ['errorInfo', 'A_REASON_OF_TOMORROW'],
  ])('reports %s.%s to the operator and requires no reconnect', async (category, code) => {
    await sandbox.addFault({ fault: 'refuse_project', category, code });
    const toOperator = { code: `google_ads.${code.toLowerCase()}`, action: 'Contact the operator of this installation' };
    for (const call of [() => read(), () => source.listAccounts(aContext())]) {
      const error: unknown = await call().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(FixSettings);
      expect(error).toMatchObject(toOperator);
    }
  });

  it('reports a refused list of accounts to the operator, since it skips no account', async () => {
    await sandbox.addFault({ fault: 'refuse_project', code: 'AUTHORIZATION_ERROR' });
    await expect(source.listAccounts(aContext())).rejects.toBeInstanceOf(FixSettings);
    await expect(read()).rejects.toBeInstanceOf(SkipAccount);
  });

  it('warns the operator about an unsupported API version', async () => {
    await expect(read(aSlice(), sourceOf(grant, undefined, 'v20'))).rejects.toMatchObject({
      name: 'FixSettings',
      code: 'google_ads.unsupported_version',
    });
  });

  it('retries later when the connection is refused', async () => {
    await expect(read(aSlice(), sourceOf(grant, 'http://127.0.0.1:2'))).rejects.toMatchObject({
      code: 'http.unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

describe('reading', () => {
  it('continues with a fresh token when the old one expires between two requests', async () => {
    const own = sourceOf(await sandbox.signIn('demo@example.com'));
    await read(aSlice(), own);
    await sandbox.addFault({ fault: 'expire_token' });
    await expect(read(aSlice(), own)).resolves.toBeDefined();
  });

  it('uses a fresh token when Google’s API gateway rejects the old one', async () => {
    const own = sourceOf(await sandbox.signIn('demo@example.com'));
    await read(aSlice(), own);
    await sandbox.addFault({ fault: 'expire_token', frontDoor: true });
    await expect(read(aSlice(), own)).resolves.toBeDefined();
  });

  it('requires a reconnect when the API gateway rejects the fresh token too', async () => {
    const own = sourceOf(await sandbox.signIn('demo@example.com', []));
    await expect(read(aSlice(), own)).rejects.toMatchObject({ code: 'google_ads.access_token_scope_insufficient' });
  });

  const withCost = reports
    .map(({ stream }) => stream)
    .filter(({ metrics, verification }) => metrics.costMicros !== null && verification === 'control_totals');
  it.each(withCost.map(({ name }) => name))('reads every row of %s and matches the provider’s own sums', async (streamName) => {
    for (const one of accounts.filter(({ status }) => status === 'enabled')) {
      const slice = aSlice({ streamName, account: one, days: 20 });
      const { rows, last } = await read(slice);
      const expected = (await sandbox.totals(one.externalId, slice.from, slice.to))[streamName];
      const { rows: count, ...sums } = sumRowsByDay(rows).reduce<MetricSums>(addSums, emptySums());
      expect({
        rows: count,
        costMicros: String(sums.costMicros),
        clicks: Number(sums.clicks),
        impressions: Number(sums.impressions),
      }).toEqual(expected);
      expect(last?.providerTotals).toEqual(sums);
      expect(Object.keys(rows[0] ?? {}).sort()).toEqual(slice.stream.columns.map(({ name }) => name).sort());
    }
  });

  it('verifies conversions by action with their own total, since Google reports no cost by action', async () => {
    const slice = aSlice({ streamName: 'conversion_action_daily', days: 20 });
    const { rows, last } = await read(slice);
    const expected = (await sandbox.totals(slice.account.externalId, slice.from, slice.to))['conversion_action_daily'];
    expect(rows).toHaveLength(expected?.rows ?? 0);
    expect(new Set(rows.map((row) => row['conversion_action_name']))).toEqual(new Set(['Purchase', 'Newsletter sign-up']));
    expect(last?.providerRows).toBe(rows.length);
    await sandbox.addFault({ fault: 'truncate_rows' });
    await expect(read(slice)).rejects.toMatchObject({ code: 'google_ads.totals_differ' });
  });

  it('loads search terms and reports Google’s totals, which include hidden terms', async () => {
    const slice = aSlice({ streamName: 'search_term_daily', days: 20 });
    const { rows, last } = await read(slice);
    const listed = (await sandbox.totals(slice.account.externalId, slice.from, slice.to))['search_term_daily'];
    const { rows: count, costMicros } = sumRowsByDay(rows).reduce<MetricSums>(addSums, emptySums());
    expect({ count, cost: String(costMicros) }).toEqual({ count: listed?.rows, cost: listed?.costMicros });
    expect(last?.providerRows).toBe(count);
    expect(Number(last?.shareOf?.costMicros)).toBeGreaterThan(Number(costMicros));
  });

  it('rejects search terms that exceed Google’s totals', async () => {
    await sandbox.addFault({ fault: 'repeat_page', resource: 'search_term_view' });
    await expect(read(aSlice({ streamName: 'search_term_daily' }))).rejects.toBeInstanceOf(CorruptAnswer);
  });

  it('keeps the cost of places without a country', async () => {
    const { rows } = await read(aSlice({ streamName: 'geographic_daily' }));
    const withoutCountry = rows.filter((row) => row['country_criterion_id'] === 0n);
    expect(withoutCountry.length).toBeGreaterThan(0);
    expect(withoutCountry.some((row) => Number(row['cost_micros']) > 0)).toBe(true);
  });

  const none = { costMicros: 0n, clicks: 0n, impressions: 0n };
  it.each([
    ['an empty list', []],
    ['only a summary row', ['empty_summary']],
  ])('accepts %s for days without traffic', async (_, faults) => {
    for (const fault of faults) await sandbox.addFault({ fault });
    const { rows, last } = await read(aSlice({ from: daysBeforeToday(1_000), to: daysBeforeToday(996) }));
    expect({ rows, totals: last?.providerTotals }).toEqual({ rows: [], totals: none });
  });

  it('requests fewer days if the first ones are no longer available', async () => {
    await expect(read(aSlice({ from: daysBeforeToday(1_200) }))).rejects.toMatchObject({
      name: 'SplitSlice',
      code: 'google_ads.requested_date_granularity_not_supported',
    });
  });

  it('requests fewer days after a timeout, and retries a single day', async () => {
    await sandbox.addFault({ fault: 'slow', delayMs: 400 });
    const impatient = sourceOf(grant, undefined, undefined, 100);
    await expect(read(aSlice({ days: 5 }), impatient)).rejects.toMatchObject({ name: 'SplitSlice', code: 'http.timeout' });
    await expect(read(aSlice({ days: 1 }), impatient)).rejects.toMatchObject({ name: 'RetryLater', code: 'http.timeout' });
  });

  it('waits at least 15 minutes for an answer', () => expect(ANSWER_TIMEOUT_MS).toBeGreaterThanOrEqual(900_000));

  it('waits longer than fetch does by default', async () => {
    await sandbox.addFault({ fault: 'slow', delayMs: 2_500 });
    const { rows } = await withShortFetches(false, () => read(aSlice({ days: 1 })));
    expect(rows).not.toEqual([]);
  });

  it('requests fewer days if fetch itself gives up', async () => {
    await sandbox.addFault({ fault: 'slow', delayMs: 2_500 });
    const reading = withShortFetches(true, () => read(aSlice({ days: 5 })));
    await expect(reading).rejects.toMatchObject({ name: 'SplitSlice', code: 'http.timeout' });
  });

  it('requests fewer days when Google’s own deadline is exceeded', async () => {
    await sandbox.addFault({ fault: 'deadline', mostDays: 3 });
    await expect(read(aSlice({ days: 5 }))).rejects.toBeInstanceOf(SplitSlice);
    await expect(read(aSlice({ days: 3 }))).resolves.toBeDefined();
  });

  it('records each request without its token', async () => {
    const context = aContext();
    await collect(source.read(context, aSlice()));
    expect(context.requests).toHaveLength(1);
    expect(context.requests[0]).toMatchObject({ method: 'POST', status: 200, providerRequestId: expect.any(String) });
    expect(JSON.stringify(context.requests)).not.toContain(grant.accessToken);
  });
});

describe('accounts', () => {
  it('lists each account once, without managers, with the manager that gives access', async () => {
    const seen = accounts.map(({ name, currency, timeZone, managerId }) => [name, currency, timeZone, managerId]);
    expect(seen).toEqual([
      ['Northwind DE', 'EUR', 'Europe/Berlin', '9001000001'],
      ['Northwind JP', 'JPY', 'Asia/Tokyo', '9001000001'],
      ['Northwind Outlet', 'GBP', 'Europe/London', null],
      ['Northwind US', 'USD', 'America/New_York', '9001000001'],
    ]);
  });

  it('lists the other accounts if one has closed or is no longer shared', async () => {
    for (const code of [
      'CUSTOMER_NOT_ENABLED',
      'USER_PERMISSION_DENIED',
      'ACCESS_DENIED_FOR_ACCOUNT_TYPE',
      'INCOMPLETE_SIGNUP',
    ]) {
      await sandbox.addFault({ fault: 'refuse_project', code, customerId: account('Northwind DE').managerId });
      const listed = await source.listAccounts(aContext());
      expect(listed.length).toBeGreaterThan(0);
      expect(listed.length).toBeLessThan(accounts.length);
      await sandbox.clearFaults();
    }
  });

  it('lists no accounts at all if a refusal is not about one account', async () => {
    await sandbox.addFault({ fault: 'refuse_project', code: 'AUTHORIZATION_ERROR', resource: 'customer_client' });
    await expect(source.listAccounts(aContext())).rejects.toMatchObject({ code: 'google_ads.authorization_error' });
  });

  it('lists a closed account as closed', async () => {
    const own = await sourceOf(await sandbox.signIn('limited@example.com')).listAccounts(aContext());
    expect(own.find(({ name }) => name.includes('closed'))?.status).toBe('closed');
  });

  it('requires another Google user if there are no ad accounts', async () => {
    const own = sourceOf(await sandbox.signIn('nobody@example.com'));
    await expect(own.listAccounts(aContext())).rejects.toMatchObject({
      name: 'ReconnectNeeded',
      code: 'google_ads.not_ads_user',
    });
  });

  it('uses the account’s longest conversion window as lookback', async () => {
    expect(await source.lookbackDays(aContext(), account('Northwind DE'))).toBe(30);
    expect(await source.lookbackDays(aContext(), account('Northwind US'))).toBe(7);
  });

  it('uses a view-through window as lookback if it is longer than the click-through windows', async () => {
    expect(await source.lookbackDays(aContext(), account('Northwind JP'))).toBe(21);
  });
});

it('treats a revoked grant as permanent', async () => {
  const own = await sandbox.signIn('bench@example.com');
  await oauthFlowOf(sandbox.oauth).revoke(own, aContext().signal);
  await expect(oauthFlowOf(sandbox.oauth).refresh(own, aContext().signal)).rejects.toBeInstanceOf(ReconnectNeeded);
  await expect(oauthFlowOf(sandbox.oauth).revoke(own, aContext().signal)).resolves.toBeUndefined();
});
