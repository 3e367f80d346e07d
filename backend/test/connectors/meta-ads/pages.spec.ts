import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AdAccount, ReadContext, Slice, Source } from '../../../src/connectors/kit/contract.js';
import type { TokenGrant } from '../../../src/connectors/kit/oauth/oauth.js';
import { aContext, aRemoteJob, collect } from '../context.js';
import { accountsOf, sliceOf, startMetaSandbox, type MetaSandbox } from './meta-sandbox.js';

/** Pages of reports that Meta refuses. */
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

const aSlice = (streamName: string, days: number): Slice => sliceOf(source, streamName, account, days, 40);
const read = (slice: Slice, context: Partial<ReadContext> = {}, from = source) =>
  collect(from.read({ ...aContext(), ...context }, slice), slice.stream);
const runsStarted = async () => (await sandbox.newRequests()).filter(({ method }) => method === 'POST').length;

describe.each([
  ['run_lost', 'meta_ads.report_rows_lost'],
  ['run_fields_lost', 'meta_ads.report_fields_lost'],
])('the rows of a complete report run that fail with %s', (fault, code) => {
  const slice = () => aSlice('ad_age_gender_daily', 2);
  const hasty = () => sandbox.source(grant, {}, { failedRunPauseMs: 20 });

  it('once are requested again from the same run', async () => {
    const whole = await read(slice());
    for (const afterRequests of [0, 1]) {
      await sandbox.addFault(fault, { times: 1, afterRequests });
      await sandbox.newRequests();
      expect((await read(slice(), {}, hasty())).rows).toEqual(whole.rows);
      expect(await runsStarted()).toBe(1);
    }
  });

  it('twice are requested later from another run, and the account is not skipped', async () => {
    await sandbox.addFault(fault, { times: 2 });
    const job = aRemoteJob();
    await sandbox.newRequests();
    await expect(read(slice(), { job }, hasty())).rejects.toMatchObject({
      name: 'RetryLater',
      code,
      action: 'No action needed: another report is requested automatically',
    });
    expect(job.id).toBeNull();
    await expect(read(slice(), { job }, hasty())).resolves.toBeDefined();
    expect(await runsStarted()).toBe(2);
  });
});

describe('pages that are too large for Meta', () => {
  it.each([
    ['campaign_daily', 20, {}],
    ['ad_age_gender_daily', 2, {}],
    ['campaign_daily', 20, { subcode: 99 }],
  ])('of %s (%s days, %j) are requested with fewer rows', async (streamName, days, parameters) => {
    const slice = aSlice(streamName, days);
    const whole = await read(slice);
    await sandbox.addFault('page_too_large', { mostRows: 10, ...parameters });
    await sandbox.newRequests();
    expect((await read(slice)).rows).toEqual(whole.rows);
    const limits = (await sandbox.newRequests()).map(({ query }) => query?.['limit']);
    expect(limits).toEqual(expect.arrayContaining(['500', '250', '125', '62', '31', '15', '7']));
  });

  it('of any size split the slice', async () => {
    await sandbox.addFault('page_too_large', { mostRows: 0 });
    await expect(read(aSlice('campaign_daily', 3))).rejects.toMatchObject({
      name: 'SplitSlice',
      code: 'meta_ads.too_much_data',
    });
  });

  it('of any size in a synchronous report with an unknown error are read as a report run', async () => {
    const slice = aSlice('campaign_daily', 20);
    const whole = await read(slice);
    // As many pages as a synchronous report requests, from 500 rows down to 5.
    await sandbox.addFault('page_too_large', { mostRows: 0, subcode: 99, times: 8 });
    await sandbox.newRequests();
    expect((await read(slice)).rows).toEqual(whole.rows);
    expect(await runsStarted()).toBe(1);
  });

  it.each([
    ['an unknown error, in a slice of several days', 3, { subcode: 99 }, 'meta_ads.internal_error'],
    ['too much data, after some rows of a single day', 1, { afterRequests: 1 }, 'meta_ads.too_much_data'],
    ['too much data, in the totals of a single day', 1, { level: 'account' }, 'meta_ads.too_much_data'],
  ])('of any size are retried later after %s', async (_, days, parameters, code) => {
    await sandbox.addFault('short_pages', { rows: 3 });
    await sandbox.addFault('page_too_large', { mostRows: 0, ...parameters });
    await expect(read(aSlice('campaign_daily', days))).rejects.toMatchObject({
      name: 'RetryLater',
      code,
      action: 'No action needed: Tributary retries automatically',
    });
  });
});
