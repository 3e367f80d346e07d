import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AdAccount,
  MetricSums,
  ReadContext,
  RemoteJob,
  Slice,
  Source,
  Stream,
} from '../../../src/connectors/kit/contract.js';
import type { TokenGrant } from '../../../src/connectors/kit/oauth/oauth.js';
import { addDays, dayInTimeZone } from '../../../src/connectors/kit/days.js';
import { addSums, emptySums } from '../../../src/connectors/kit/totals/sums.js';
import { aContext, aRemoteJob, collect } from '../context.js';
import { startMicrosoftSandbox, type MicrosoftSandbox } from './microsoft-sandbox.js';
import { sumRowsByDay } from '../rows.js';

let sandbox: MicrosoftSandbox;
let grant: TokenGrant;
let source: Source;
let accounts: AdAccount[];

beforeAll(async () => {
  sandbox = await startMicrosoftSandbox();
  grant = await sandbox.signIn();
  accounts = await sandbox.source(grant).listAccounts(aContext());
});
beforeEach(() => void (source = sandbox.source(grant)));
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

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

const read = (slice = aSlice(), from = source, job = aRemoteJob()) =>
  collect(from.read({ ...aContext(), job }, slice), slice.stream);
const submissions = async (): Promise<number> => (await sandbox.calls('Submit')).length;

describe('incomplete reports', () => {
  it.each([
    ['truncate_zip', {}, 'CorruptAnswer', 'microsoft_ads.broken_archive'],
    ['truncate_zip', { abort: true }, 'RetryLater', 'http.unreachable'],
    ['truncate_rows', {}, 'CorruptAnswer', 'microsoft_ads.rows_differ'],
    ['repeat_rows', {}, 'CorruptAnswer', 'microsoft_ads.row_repeated'],
  ])('are rejected: %s %j', async (fault, parameters, name, code) => {
    await sandbox.addFault({ fault, ...parameters });
    await expect(read()).rejects.toMatchObject({ name, code });
  });

  it('give expected and found values', async () => {
    await sandbox.addFault({ fault: 'truncate_rows', rows: 3 });
    await expect(read()).rejects.toThrow(/expected \d+ rows as in its header, found \d+\. Nothing/);
  });

  it('are requested again the next time instead of downloaded again', async () => {
    await sandbox.addFault({ fault: 'truncate_rows', times: 1 });
    const job = aRemoteJob();
    await expect(read(aSlice(), source, job)).rejects.toMatchObject({ name: 'CorruptAnswer' });
    expect(job.id).toBeNull();
    await expect(read(aSlice(), source, job)).resolves.toMatchObject({ last: { providerRows: expect.any(Number) } });
  });
});

describe('refusals', () => {
  it('wait a minute after too many calls', async () => {
    await sandbox.addFault({ fault: 'throttle' });
    await expect(read()).rejects.toMatchObject({
      name: 'RetryLater',
      code: 'microsoft_ads.call_rate_exceeded',
      failureClass: 'quota',
      retryAfterSeconds: 60,
      providerRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('resume the requested report after repeated throttling', async () => {
    const job = aRemoteJob();
    await sandbox.addFault({ fault: 'throttle', event: 'poll', times: 3 });
    for (let storm = 0; storm < 3; storm++)
      await expect(read(aSlice(), source, job)).rejects.toMatchObject({ failureClass: 'quota' });
    const before = await submissions();
    await expect(read(aSlice(), source, job)).resolves.toBeDefined();
    expect(await submissions()).toBe(before);
  });

  it.each(['server_error', 'unavailable', 'drop_connection', 'slow'])('are retried later after %s', async (fault) => {
    await sandbox.addFault({ fault, times: 1 });
    const timely = read();
    if (fault === 'slow') await expect(timely).resolves.toBeDefined();
    else await expect(timely).rejects.toMatchObject({ name: 'RetryLater', failureClass: 'transient' });
  });

  it.each(['server_error', 'drop_connection'])('are retried later after %s of the storage', async (fault) => {
    await sandbox.addFault({ fault, endpoint: 'download' });
    await expect(read()).rejects.toMatchObject({ name: 'RetryLater', failureClass: 'transient' });
  });

  it.each([
    ['permission', 'microsoft_ads.user_is_not_authorized'],
    ['account_inactive', 'microsoft_ads.invalid_credentials'],
  ])('skip an account and read the others: %s', async (fault, code) => {
    const us = account('Northwind US');
    await sandbox.addFault({ fault, accountId: us.externalId });
    await expect(read(aSlice({ account: us }))).rejects.toMatchObject({ name: 'SkipAccount', code });
    await expect(source.lookbackDays(aContext(), us)).rejects.toMatchObject({ name: 'SkipAccount' });
    await expect(read()).resolves.toBeDefined();
  });

  it('require a reconnect when access was revoked', async () => {
    const own = await sandbox.signIn('limited@example.com');
    await sandbox.addFault({ fault: 'revoke', user: 'limited@example.com' });
    await expect(read(aSlice(), sandbox.source(own))).rejects.toMatchObject({
      name: 'ReconnectNeeded',
      action: 'Reconnect with Microsoft',
    });
  });

  it('report the developer token to the operator when a renewed token is rejected too', async () => {
    const refreshes = (await sandbox.calls('token')).length;
    const own = await sandbox.signIn();
    await expect(read(aSlice(), sandbox.source(own, { developerToken: 'wrong' }))).rejects.toMatchObject({
      name: 'FixSettings',
      code: 'microsoft_ads.developer_token_refused',
      action: expect.stringContaining('MICROSOFT_DEVELOPER_TOKEN'),
    });
    // The sign-in, and one renewal before the developer token is reported.
    expect((await sandbox.calls('token')).length - refreshes).toBe(2);
  });

  it('are retried later when the connection is refused', async () => {
    await expect(read(aSlice(), sandbox.source(grant, { customerManagementUrl: 'http://127.0.0.1:2' }))).rejects.toMatchObject({
      code: 'http.unreachable',
    });
  });

  it('do not use an unencrypted download address of an encrypted platform', async () => {
    const { reportingUrl } = sandbox.settings();
    const answers = sandbox.source(grant, { reportingUrl: reportingUrl.replace('http:', 'HTTP:') });
    await expect(read(aSlice(), answers)).rejects.toMatchObject({ code: 'microsoft_ads.unsafe_address' });
  });
});

describe('an asynchronous report', () => {
  it('saves its id before waiting and is resumed by it after a crash', async () => {
    await sandbox.addFault({ fault: 'slow_report', polls: 4 });
    const crash = new AbortController();
    const job: RemoteJob = { ...aRemoteJob(), id: null };
    const crashing: ReadContext = {
      ...aContext(),
      signal: crash.signal,
      job: {
        id: null,
        save: (id) => {
          Object.assign(job, { id });
          crash.abort(new Error('killed'));
          return Promise.resolve();
        },
      },
    };
    await expect(collect(source.read(crashing, aSlice()))).rejects.toThrow('killed');
    expect(job.id).toMatch(/^30000\d+$/);
    const before = await submissions();
    await expect(read(aSlice(), source, job)).resolves.toBeDefined();
    expect(await submissions()).toBe(before);
  });

  it('is requested again when Microsoft lost it', async () => {
    const job = aRemoteJob('300009999999999');
    const before = await submissions();
    await expect(read(aSlice(), source, job)).resolves.toBeDefined();
    expect(await submissions()).toBe(before + 1);
    expect(job.id).not.toBe('300009999999999');
  });

  it('is not requested endlessly when Microsoft loses every one', async () => {
    await sandbox.addFault({ fault: 'lost_report' });
    const before = await submissions();
    await expect(read()).rejects.toMatchObject({ name: 'RetryLater', code: 'microsoft_ads.report_not_found' });
    expect(await submissions()).toBe(before + 2);
  });

  it('that never finishes keeps its id and is polled again later', async () => {
    await sandbox.addFault({ fault: 'never_finishes' });
    const impatient = sandbox.source(grant, { pace: { firstPollMs: 5, longestPollMs: 20, reportPatienceMs: 100 } });
    const job = aRemoteJob();
    await expect(read(aSlice(), impatient, job)).rejects.toMatchObject({
      name: 'RetryLater',
      code: 'microsoft_ads.report_unfinished',
      message: expect.stringContaining('after 1 minute.'),
    });
    expect(job.id).not.toBeNull();
    await sandbox.clearFaults();
    const before = await submissions();
    await expect(read(aSlice(), source, job)).resolves.toBeDefined();
    expect(await submissions()).toBe(before);
  });

  it('that fails is replaced by another one later', async () => {
    await sandbox.addFault({ fault: 'report_error', times: 1 });
    const job = aRemoteJob();
    await expect(read(aSlice(), source, job)).rejects.toMatchObject({ name: 'RetryLater', code: 'microsoft_ads.report_failed' });
    expect(job.id).toBeNull();
    await expect(read(aSlice(), source, job)).resolves.toBeDefined();
  });

  it('is downloaded from a fresh address when the first has expired', async () => {
    await sandbox.addFault({ fault: 'expired_url', times: 1 });
    const before = await submissions();
    await expect(read()).resolves.toBeDefined();
    expect(await submissions()).toBe(before + 1);
  });

  it('is retried later when all addresses have expired', async () => {
    await sandbox.addFault({ fault: 'expired_url' });
    await expect(read()).rejects.toMatchObject({ name: 'RetryLater', code: 'microsoft_ads.address_expired' });
  });

  it('waits when Microsoft reports too many in progress', async () => {
    await sandbox.addFault({ fault: 'concurrent_limit', times: 2 });
    await expect(read()).resolves.toBeDefined();
    await sandbox.addFault({ fault: 'concurrent_limit' });
    await expect(read()).rejects.toMatchObject({ failureClass: 'quota', retryAfterSeconds: 120 });
  });

  it('is one of at most five concurrent reports', async () => {
    const own = sandbox.source(await sandbox.signIn('limited@example.com'));
    const { length: before } = await sandbox.calls('Submit');
    const names = source.streams.flatMap(({ name }) => [name, name]);
    const results = await Promise.all(names.map((streamName) => read(aSlice({ streamName, days: 2 }), own)));
    expect(results).toHaveLength(names.length);
    const statuses = (await sandbox.calls('Submit')).slice(before);
    expect(statuses).toEqual(names.map(() => 200));
  });
});

describe('reading', () => {
  it('continues with a fresh token when the old one expires between two requests, twice', async () => {
    const own = sandbox.source(await sandbox.signIn());
    for (let death = 0; death < 2; death++) {
      await expect(read(aSlice(), own)).resolves.toBeDefined();
      await sandbox.clearFaults();
      await sandbox.addFault({ fault: 'expire_token' });
      await expect(read(aSlice(), own)).resolves.toBeDefined();
    }
  });

  const streamNames = [
    ...['account_daily', 'campaign_daily', 'ad_group_daily', 'ad_daily'],
    ...['keyword_daily', 'search_query_daily', 'geographic_daily', 'conversion_goal_daily', 'ad_performance_daily'],
  ];
  it.each(streamNames)("reads every row of %s and matches the platform's own sums", async (streamName) => {
    for (const one of accounts) {
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
      expect(count).toBeGreaterThan(0);
      expect(last?.providerRows).toBe(count);
      expect(Object.keys(rows[0] ?? {}).sort()).toEqual(slice.stream.columns.map(({ name }) => name).sort());
    }
  });

  it('preserves ids above 2^53, and names with quotes, line breaks and dashes', async () => {
    const ads = await read(aSlice({ streamName: 'ad_daily' }));
    expect(ads.rows.every(({ ad_id: id }) => typeof id === 'bigint' && id > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
    const names = new Set((await read(aSlice({ days: 300 }))).rows.map((row) => row['campaign_name']));
    expect(names).toEqual(
      new Set([
        ...['Brand, "exact"', 'Tiny test\r\nÎle-de-France', "=Men's jackets – Größe & Länge", '--'],
        ...['春のセール\t🚲', 'Shopping; all \\ products'],
      ]),
    );
  });

  it('distinguishes missing values from zero', async () => {
    const { rows } = await read(aSlice({ days: 90 }));
    const shares = rows.map((row) => row['impression_share']);
    expect(shares).toContain(43.21);
    expect(shares).toContain(null);
    expect(rows.every((row) => typeof row['conversions'] === 'number')).toBe(true);
  });

  it('verifies that days without traffic are empty', async () => {
    const { rows, last } = await read(aSlice({ from: daysBeforeToday(1_000), to: daysBeforeToday(996) }));
    expect({ rows, counted: last?.providerRows }).toEqual({ rows: [], counted: 0 });
  });

  it('requests fewer days if the first ones are no longer available', async () => {
    await expect(read(aSlice({ from: daysBeforeToday(1_200) }))).rejects.toMatchObject({
      name: 'SplitSlice',
      code: 'microsoft_ads.invalid_custom_date_range_start',
    });
  });

  it('detects removed and new rows', async () => {
    const slice = aSlice({ days: 40, to: addDays(aSlice().to, -5) });
    const keys = async () =>
      new Set((await read(slice)).rows.map((row) => slice.stream.key.map((name) => String(row[name])).join(' ')));
    const before = await keys();
    await sandbox.addFault({ fault: 'restate', accountId: slice.account.externalId, from: slice.from, to: slice.to });
    const after = await keys();
    expect([...before].some((key) => !after.has(key))).toBe(true);
    expect([...after].some((key) => !before.has(key))).toBe(true);
  });

  it('records each request without its token and without the signature of the download address', async () => {
    const context = aContext();
    await collect(source.read(context, aSlice()), aSlice().stream);
    const last = context.requests.at(-1);
    expect(last).toMatchObject({ method: 'GET', status: 200, url: expect.stringMatching(/\/download\/\d+\.zip$/) });
    expect(JSON.stringify(context.requests)).not.toContain(grant.accessToken);
  });
});

describe('accounts', () => {
  it('are listed with customer, currency and time zone', () => {
    expect(
      accounts.map(({ name, currency, timeZone, managerId, managerName }) => [name, currency, timeZone, managerId, managerName]),
    ).toEqual([
      ['Northwind DE', 'EUR', 'Europe/Berlin', '160100001', 'Northwind Group'],
      ['Northwind JP', 'JPY', 'Asia/Tokyo', '160100001', 'Northwind Group'],
      ['Northwind NC', 'AUD', 'Pacific/Noumea', '160100001', 'Northwind Group'],
      ['Northwind Outlet', 'GBP', 'Europe/London', '160100002', 'Northwind Outlet Ltd'],
      ['Northwind US', 'USD', 'America/New_York', '160100001', 'Northwind Group'],
    ]);
  });

  it('are listed page by page, and a duplicate page is detected', async () => {
    const agency = sandbox.source(await sandbox.signIn('agency@example.com'));
    expect(new Set((await agency.listAccounts(aContext())).map(({ externalId }) => externalId)).size).toBe(130);
    await sandbox.addFault({ fault: 'repeat_page' });
    await expect(agency.listAccounts(aContext())).rejects.toMatchObject({ code: 'microsoft_ads.account_repeated' });
  });

  it('are closed if Microsoft returns so, and empty for a user without accounts', async () => {
    const limited = await sandbox.source(await sandbox.signIn('limited@example.com')).listAccounts(aContext());
    expect(limited.map(({ name, status }) => [name, status])).toContainEqual(['Northwind AT (closed)', 'closed']);
    expect(await sandbox.source(await sandbox.signIn('nobody@example.com')).listAccounts(aContext())).toEqual([]);
  });

  it('in an unknown time zone are listed as unusable with the reason', async () => {
    const before = await source.listAccounts(aContext());
    await sandbox.addFault({ fault: 'new_time_zone', accountId: '180500012' });
    const unusable = { timeZone: 'Etc/UTC', status: 'disabled', problem: expect.stringMatching(/"Kiritimati".*operator/) };
    expect(await source.listAccounts(aContext())).toEqual(
      before.map((one) => (one.externalId === '180500012' ? { ...one, ...unusable } : one)),
    );
  });

  it('that were stored in UTC because of an unknown zone are skipped', async () => {
    const before = await submissions();
    const stored = { ...account('Northwind US'), timeZone: 'Etc/UTC' };
    await expect(read(aSlice({ account: stored }))).rejects.toMatchObject({
      name: 'SkipAccount',
      failureClass: 'config',
      code: 'microsoft_ads.unknown_time_zone',
      message: expect.stringContaining('Northwind US'),
      action: expect.stringContaining('Refresh the account list of the app'),
    });
    expect(await submissions()).toBe(before);
  });

  it('that are listed but forbidden are skipped when read', async () => {
    const limited = sandbox.source(await sandbox.signIn('limited@example.com'));
    await expect(read(aSlice({ account: account('Northwind US') }), limited)).rejects.toMatchObject({ name: 'SkipAccount' });
  });

  it('have the lookback of their active goals, at least 30 days', async () => {
    const days = (name: string) => source.lookbackDays(aContext(), account(name));
    expect(await days('Northwind JP')).toBe(90);
    expect(await days('Northwind Outlet')).toBe(45);
    expect(await days('Northwind US')).toBe(30);
  });
});
