import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AdAccount, Day, Page, ReadContext, RemoteJob, Slice, Source } from '../../../src/connectors/kit/contract.js';
import { addDays } from '../../../src/connectors/kit/days.js';
import type { TokenGrant } from '../../../src/connectors/kit/oauth/oauth.js';
import { addSums, emptySums } from '../../../src/connectors/kit/totals/sums.js';
import { aContext, aRemoteJob, collect } from '../context.js';
import { accountsOf, sliceOf, startMetaSandbox, type MetaSandbox } from './meta-sandbox.js';
import { sumRowsByDay } from '../rows.js';

/** Cases in which Meta's behavior differs from its reference. */
let sandbox: MetaSandbox;
let grant: TokenGrant;
let source: Source;
let account: AdAccount;

beforeAll(async () => {
  sandbox = await startMetaSandbox();
  grant = await sandbox.signIn();
  source = sandbox.source(grant);
  account = (await accountsOf(source))('Northwind DE');
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

const aSlice = (streamName: string, days = 3, endingDaysAgo = 40): Slice =>
  sliceOf(source, streamName, account, days, endingDaysAgo);
const read = (slice: Slice, context: Partial<ReadContext> = {}, from = source) =>
  collect(from.read({ ...aContext(), ...context }, slice), slice.stream);
const runsStarted = async () => (await sandbox.newRequests()).filter(({ method }) => method === 'POST').length;

const BELOW_ACCOUNT = [
  'campaign_daily',
  'ad_set_daily',
  'ad_daily',
  'ad_age_gender_daily',
  'ad_country_daily',
  'ad_placement_daily',
  'campaign_actions_daily',
];
const BREAKDOWNS = ['ad_age_gender_daily', 'ad_country_daily', 'ad_placement_daily'];

describe('archived and deleted objects', () => {
  it.each(BELOW_ACCOUNT)('are included in %s, up to the account’s total', async (streamName) => {
    const slice = { ...aSlice(streamName), from: '2026-06-01', to: '2026-06-04' };
    const { rows } = await read(slice);
    const names = new Set(rows.map((row) => row['campaign_name']));
    expect(names).toContain('Clearance 2025');
    expect(names).toContain('Old look-alikes');
    const { rows: count, impressions } = sumRowsByDay(rows).reduce(addSums, emptySums());
    const expected = (await sandbox.totals(account.externalId, slice.from, slice.to))[streamName];
    expect({ rows: count, impressions: Number(impressions) }).toMatchObject({
      rows: expected?.rows,
      impressions: expected?.impressions,
    });
  });
});

describe('the list of accounts', () => {
  it('needs no business_management and still contains the business name', async () => {
    const own = sandbox.source(await sandbox.signIn('demo@example.com', ['ads_read', 'email']));
    const listed = await own.listAccounts(aContext());
    expect(listed.map(({ name, managerName }) => [name, managerName])).toEqual([
      ['Northwind DE', 'Northwind Group'],
      ['Northwind JP', 'Northwind Group'],
      ['Northwind Outlet', null],
      ['Northwind US', 'Northwind Group'],
    ]);
  });

  it('requests only the permissions to read ads and the user', () => {
    expect(sandbox.oauthFlow.scopes.map(({ scope }) => scope)).toEqual(['ads_read', 'ads_management', 'email']);
  });

  it('contains a closed account, whose reports are read', async () => {
    const own = sandbox.source(await sandbox.signIn('limited@example.com'));
    const closed = (await accountsOf(own))('Northwind AT (closed)');
    expect(closed.status).toBe('disabled');
    const { rows } = await read({ ...aSlice('campaign_daily'), account: closed }, {}, own);
    expect(rows.length).toBeGreaterThan(5);
  });
});

describe('a report run that ended without a report', () => {
  const slice = () => aSlice('ad_age_gender_daily', 2);
  const hasty = () => sandbox.source(grant, {}, { failedRunPauseMs: 20 });

  it.each([
    ['report_failed', {}],
    ['report_failed', { code: 1 }],
    ['report_failed', { code: 2, subcode: 1_504_043 }],
    ['report_failed', { code: 2, subcode: 1_504_044 }],
    ['report_failed', { code: 4, subcode: 1_504_022 }],
    ['report_failed', { code: 100, subcode: 0 }],
    ['report_skipped', {}],
  ])('is replaced once: %s %j', async (fault, parameters) => {
    await sandbox.addFault(fault, { times: 1, ...parameters });
    await sandbox.newRequests();
    const job = aRemoteJob();
    await expect(read(slice(), { job }, hasty())).resolves.toBeDefined();
    expect(await runsStarted()).toBe(2);
  });

  it.each([
    ['report_failed', {}],
    ['report_failed', { code: 4, subcode: 1_504_022 }],
    ['report_skipped', {}],
  ])('splits the slice the second time and forgets its id: %s %j', async (fault, parameters) => {
    await sandbox.addFault(fault, parameters);
    await sandbox.newRequests();
    const job = aRemoteJob();
    await expect(read(slice(), { job }, hasty())).rejects.toMatchObject({ name: 'SplitSlice', code: 'meta_ads.report_failed' });
    expect(await runsStarted()).toBe(2);
    expect(job.id).toBeNull();
  });

  it('is not polled again after a worker was stopped before the end', async () => {
    await sandbox.addFault('report_failed', { times: 1 });
    const controller = new AbortController();
    const job = aRemoteJob();
    const stopping: RemoteJob = {
      get id() {
        return job.id;
      },
      save: async (id) => {
        await job.save(id);
        if (id !== null) controller.abort(new Error('stopped'));
      },
    };
    await expect(read(slice(), { job: stopping, signal: controller.signal })).rejects.toThrow('stopped');
    const spent = job.id;
    await expect(read(slice(), { job }, hasty())).resolves.toBeDefined();
    expect(job.id).not.toBe(spent);
  });

  it('of one day is read by campaigns, and retried later when a single campaign fails', async () => {
    const day = aSlice('ad_age_gender_daily', 1);
    const whole = await read(day);
    await sandbox.addFault('report_failed', { times: 2 });
    const { rows } = await read({ ...day, from: day.to }, { job: aRemoteJob('6000000000000000') }, hasty());
    expect(rows.length).toBe(whole.rows.length);
    await sandbox.clearFaults();
    await sandbox.addFault('report_failed');
    await expect(read(day, { job: aRemoteJob('6000000000000000') }, hasty())).rejects.toMatchObject({
      name: 'RetryLater',
      code: 'meta_ads.report_failed',
    });
  });
});

describe('a new report run', () => {
  it('that Meta does not find yet is polled again, and the account is not skipped', async () => {
    await sandbox.addFault('run_unknown', { forMs: 700 });
    await sandbox.newRequests();
    await expect(read(aSlice('ad_age_gender_daily', 2))).resolves.toBeDefined();
    expect(await runsStarted()).toBe(1);
  });

  it('that stays unknown is replaced, then the slice is split', async () => {
    await sandbox.addFault('run_unknown', { forMs: 600_000 });
    const hasty = sandbox.source(grant, {}, { failedRunPauseMs: 20, youngRunMs: 300 });
    const job = aRemoteJob();
    await expect(read(aSlice('ad_age_gender_daily', 2), { job }, hasty)).rejects.toMatchObject({ name: 'SplitSlice' });
    expect(job.id).toBeNull();
  });
});

describe('numbers that change between two reads', () => {
  const moving = (provisionalFrom: Day | null) => ({ provisionalFrom });

  it.each(['account_daily', ...BELOW_ACCOUNT])('do not reject %s while its days are provisional', async (streamName) => {
    const slice = aSlice(streamName, 3, 0);
    await sandbox.addFault('numbers_move', { days: 28 });
    const { rows, last } = await read(slice, moving(addDays(slice.to, -28)));
    expect(rows.length).toBeGreaterThan(0);
    expect(last?.providerRows).toBe(rows.length);
  });

  it.each(['account_daily', 'campaign_daily', 'ad_daily', 'campaign_actions_daily'])(
    'reject %s when one of its days is settled',
    async (streamName) => {
      const slice = aSlice(streamName, 5, 0);
      await sandbox.addFault('numbers_move', { days: 5, percent: 5 });
      await expect(read(slice, moving(addDays(slice.from, 1)))).rejects.toMatchObject({
        code: 'meta_ads.totals_differ',
        message: expect.stringContaining(slice.from),
      });
    },
  );

  it('reject provisional days without any row', async () => {
    await sandbox.addFault('report_without_rows', { level: 'campaign' });
    const slice = aSlice('campaign_daily', 2, 0);
    await expect(read(slice, moving(slice.from))).rejects.toMatchObject({ code: 'meta_ads.rows_missing' });
  });

  it('do not reject settled days next to them', async () => {
    const slice = aSlice('account_daily', 5, 0);
    await sandbox.addFault('numbers_move', { days: 1, percent: 10 });
    await expect(read(slice, moving(slice.to))).resolves.toBeDefined();
  });
});

describe('a day on which the rows do not add up to the account in both reads', () => {
  const struck = async (streamName: string, days: number, context: Partial<ReadContext> = {}) => {
    const slice = aSlice(streamName, days, 4);
    await sandbox.addFault('level_differs', { level: 'ad', day: slice.from });
    return expect(read(slice, context)).rejects;
  };

  it.each([
    ['settled', {}],
    ['provisional', { provisionalFrom: '2020-01-01' }],
  ])('is separated from the other days when it is %s', async (_, context) => {
    await (
      await struck('ad_daily', 12, context)
    ).toMatchObject({
      name: 'SplitSlice',
      code: 'meta_ads.totals_differ',
      message: expect.stringMatching(/on \d{4}-\d\d-\d\d for impressions: expected \d+, found \d+/),
    });
  });

  it('is rejected as the only day', async () => {
    await (await struck('ad_daily', 1)).toMatchObject({ name: 'CorruptAnswer', code: 'meta_ads.totals_differ' });
  });

  it('is not separated when many other days differ as well', async () => {
    await sandbox.addFault('truncate', { rows: 60 });
    await expect(read(aSlice('ad_daily', 12))).rejects.toMatchObject({ name: 'CorruptAnswer', code: 'meta_ads.totals_differ' });
  });
});

describe('a truncated answer', () => {
  const longAgo = { provisionalFrom: '2020-01-01' };

  it.each(['ad_country_daily', 'ad_daily'])(
    'after a full page, in %s, is read to the end although Meta returns no next page',
    async (streamName) => {
      const slice = aSlice(streamName, streamName === 'ad_daily' ? 31 : 12);
      const whole = await read(slice, longAgo);
      expect(whole.rows.length).toBeGreaterThan(600);
      await sandbox.addFault('lose_pages', { level: 'ad', times: 1 });
      const { rows } = await read(slice, longAgo);
      expect(rows).toEqual(whole.rows);
    },
  );

  it.each(['campaign_daily', 'ad_set_daily', 'ad_daily'])(
    'on provisional days, in %s, is rejected when more is missing than numbers usually change',
    async (streamName) => {
      const slice = aSlice(streamName, 4, 0);
      const { rows } = await read(slice, longAgo);
      // Rows are ordered by object, so these are the last objects.
      await sandbox.addFault('truncate', { rows: Math.ceil(rows.length / 3) });
      await expect(read(slice, longAgo)).rejects.toMatchObject({
        name: 'CorruptAnswer',
        code: 'meta_ads.rows_cut',
        message: expect.stringMatching(/have [\d.]+ % of the account.s impressions/),
      });
    },
  );

  it.each(['campaign_daily', 'ad_set_daily', 'ad_daily'])(
    'on provisional days, in %s, is rejected when a single row is missing from one read',
    async (streamName) => {
      const slice = aSlice(streamName, 4, 1);
      await sandbox.addFault('truncate', { rows: 1, times: 1 });
      await expect(read(slice, longAgo)).rejects.toMatchObject({
        name: 'CorruptAnswer',
        code: 'meta_ads.rows_cut',
        message: expect.stringMatching(/expected \d+ rows, found \d+/),
      });
    },
  );

  it('on provisional days is rejected when a single row is missing from both reads, and no number changes', async () => {
    // One ad has less than 5 % of the account's impressions.
    const slice = aSlice('ad_daily', 4, 1);
    await sandbox.addFault('truncate', { rows: 1, level: 'ad' });
    await expect(read(slice, longAgo)).rejects.toMatchObject({ name: 'SplitSlice', code: 'meta_ads.totals_differ' });
  });

  it.each([
    [2, 'the first read of the rows and of the totals'],
    [3, 'both reads of the rows and the first of the totals'],
  ])('on provisional days is rejected when %s answers are truncated: %s', async (times) => {
    const slice = aSlice('ad_set_daily', 4, 1);
    await sandbox.addFault('truncate', { rows: 3, times });
    await expect(read(slice, longAgo)).rejects.toMatchObject({ name: 'CorruptAnswer' });
  });

  it('of today is rejected when a single row is missing from one read', async () => {
    const slice = aSlice('ad_set_daily', 1, 0);
    await sandbox.addFault('truncate', { rows: 1, times: 1 });
    await expect(read(slice, longAgo)).rejects.toMatchObject({ code: 'meta_ads.rows_cut' });
  });

  it.each(BREAKDOWNS)('in %s is rejected with less than half of the total', async (streamName) => {
    const slice = aSlice(streamName, 1);
    const { rows } = await read(slice);
    await sandbox.addFault('truncate', { rows: Math.ceil(rows.length * 0.8) });
    await expect(read(slice)).rejects.toMatchObject({ name: 'CorruptAnswer', code: 'meta_ads.rows_cut' });
  });
});

describe.each(BREAKDOWNS)('%s', (streamName) => {
  const shareOf = ({ days }: Page, { shareOf: whole }: Page) =>
    Number(days.reduce((sum, day) => sum + day.impressions, 0n)) / Number(whole?.impressions);

  async function pagesOf(slice: Slice): Promise<Page[]> {
    const pages: Page[] = [];
    for await (const page of source.read(aContext(), slice)) pages.push(page);
    return pages;
  }

  it('is declared as a share of the total', () => {
    expect(aSlice(streamName).stream.verification).toBe('share_of_total');
  });

  it.each([97, 102])('with %s percent of the total is read, with the account’s total', async (percent) => {
    await sandbox.addFault('breakdown_differs', { percent });
    const slice = aSlice(streamName, 1);
    const pages = await pagesOf(slice);
    const last = pages.at(-1) as Page;
    const total = (await sandbox.totals(account.externalId, slice.from, slice.to))['account_daily'];
    expect(last.shareOf).toEqual({
      costMicros: BigInt(total?.costMicros ?? 0),
      clicks: BigInt(total?.clicks ?? 0),
      impressions: BigInt(total?.impressions ?? 0),
    });
    expect(shareOf(pages[0] as Page, last)).toBeGreaterThan(percent / 100 - 0.05);
    expect(shareOf(pages[0] as Page, last)).toBeLessThan(percent / 100 + 0.01);
  });

  it('without rows is rejected if the account has impressions', async () => {
    await sandbox.addFault('report_without_rows', { level: 'ad' });
    await expect(read(aSlice(streamName, 1))).rejects.toMatchObject({ code: 'meta_ads.rows_missing' });
  });
});
