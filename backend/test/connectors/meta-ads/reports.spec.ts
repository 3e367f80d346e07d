import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AdAccount, ReadContext, RemoteJob, Slice, Source } from '../../../src/connectors/kit/contract.js';
import { SplitSlice } from '../../../src/connectors/kit/errors.js';
import type { TokenGrant } from '../../../src/connectors/kit/oauth/oauth.js';
import { aContext, aRemoteJob, collect } from '../context.js';
import { accountsOf, sliceOf, startMetaSandbox, type MetaSandbox } from './meta-sandbox.js';

let sandbox: MetaSandbox;
let grant: TokenGrant;
let source: Source;
let de: AdAccount;

beforeAll(async () => {
  sandbox = await startMetaSandbox();
  grant = await sandbox.signIn();
  source = sandbox.source(grant);
  de = (await accountsOf(source))('Northwind DE');
});
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.moveClock(0);
});
afterAll(() => sandbox.stop());

const aSlice = (streamName = 'ad_age_gender_daily', days = 2, endingDaysAgo = 1): Slice =>
  sliceOf(source, streamName, de, days, endingDaysAgo);
const contextOf = (job: RemoteJob): ReadContext => ({ ...aContext(), job });
const read = (slice = aSlice(), job = aRemoteJob(), from = source) => collect(from.read(contextOf(job), slice), slice.stream);

/** Types of requests since the last call: `start`, `poll`, `results`, `at once`. */
async function askedFor(): Promise<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const { method, path, query } of await sandbox.newRequests()) {
    const isAccount = /act_\d+\/insights$/.test(path);
    const kind = isAccount
      ? method === 'POST'
        ? 'start'
        : query?.['level'] === 'account'
          ? 'proof'
          : 'at once'
      : path.endsWith('/insights')
        ? 'results'
        : 'poll';
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

describe('a slice', () => {
  it('is read synchronously when it is small, and as a report run when it is large', async () => {
    await sandbox.newRequests();
    await read(aSlice('campaign_daily', 20));
    expect(await askedFor()).toEqual({ 'at once': 1, proof: 1 });
    await read(aSlice('ad_age_gender_daily', 2));
    expect(await askedFor()).toMatchObject({ start: 1, proof: 1, results: expect.any(Number), poll: expect.any(Number) });
  });

  it.each([
    ['time_out', {}],
    ['report_too_big', { times: 1 }],
  ])('is read as a report run when the synchronous read returns %s', async (fault, parameters) => {
    const whole = await read(aSlice('campaign_daily', 3));
    await sandbox.addFault(fault, { level: 'campaign', ...parameters });
    await sandbox.newRequests();
    expect((await read(aSlice('campaign_daily', 3))).rows).toEqual(whole.rows);
    expect(await askedFor()).toMatchObject({ 'at once': 1, start: 1 });
  });

  it('is split by days when it is too large for a report run too', async () => {
    await sandbox.addFault('report_too_big', { maximumRows: 900 });
    const job = aRemoteJob();
    await expect(read(aSlice('ad_age_gender_daily', 4), job)).rejects.toMatchObject({
      name: 'SplitSlice',
      code: 'meta_ads.report_too_large',
    });
    expect(job.id).toBeNull();
    await expect(read(aSlice('ad_age_gender_daily', 1))).resolves.toBeDefined();
  });

  it('of one day is read by campaigns when it is too large, including inactive ones', async () => {
    const day = aSlice('ad_age_gender_daily', 1, 140);
    const whole = await read(day);
    const key = (row: Record<string, unknown>): string =>
      `${String(row['ad_id'])} ${String(row['age'])} ${String(row['gender'])}`;
    await sandbox.addFault('report_too_big', { maximumRows: 250, level: 'ad' });
    const { rows, last } = await read(day);
    expect(rows.map(key).sort()).toEqual(whole.rows.map(key).sort());
    expect(last?.providerRows).toBe(whole.last?.providerRows);
    expect(new Set(rows.map((row) => row['campaign_name'])).size).toBeGreaterThan(4);
    expect(rows.some((row) => row['campaign_name'] === 'Old look-alikes')).toBe(true);
  });

  it('of one campaign and day that is too large fails with a message', async () => {
    await sandbox.addFault('report_too_big', { level: 'ad' });
    await expect(read(aSlice('ad_age_gender_daily', 1))).rejects.toMatchObject({
      name: 'SplitSlice',
      message: expect.stringContaining('single campaign'),
      action: expect.stringContaining('coarser'),
    });
  });
});

describe('a report run', () => {
  it('is resumed after a crash and not started again', async () => {
    const job = aRemoteJob();
    const controller = new AbortController();
    const dying = collect(
      source.read(
        { ...contextOf(savingThen(job, () => controller.abort(new Error('crash')))), signal: controller.signal },
        aSlice(),
      ),
      aSlice().stream,
    );
    await expect(dying).rejects.toThrow('crash');
    const id = job.id;
    expect(id).toMatch(/^\d+$/);
    await sandbox.newRequests();
    const { rows } = await read(aSlice(), job);
    expect(rows.length).toBeGreaterThan(100);
    expect((await askedFor())['start']).toBeUndefined();
    expect(job.id).toBe(id);
  });

  it('is started again when Meta no longer has it', async () => {
    const job = aRemoteJob('6000000000000000');
    await sandbox.newRequests();
    await read(aSlice(), job);
    expect((await askedFor())['start']).toBe(1);
    expect(job.id).not.toBe('6000000000000000');
  });

  it('that never finishes is abandoned after a time limit, and another is started', async () => {
    await sandbox.addFault('report_never_finishes', { times: 1 });
    const impatient = sandbox.source(grant, {}, { reportPatienceMs: 900 });
    const job = aRemoteJob();
    await expect(read(aSlice(), job, impatient)).rejects.toMatchObject({
      name: 'RetryLater',
      code: 'meta_ads.report_never_finished',
      message: expect.stringContaining('within 1 minute (progress: 42 %)'),
    });
    expect(job.id).toBeNull();
    await expect(read(aSlice(), job, impatient)).resolves.toBeDefined();
  });

  it.each([
    ['Job Completed', 99],
    ['Job Running', 100],
  ])('is not complete while it is %s at %s percent', async (status, percent) => {
    await sandbox.addFault('report_never_finishes', { times: 1, status, percent });
    const impatient = sandbox.source(grant, {}, { reportPatienceMs: 900 });
    await expect(read(aSlice(), aRemoteJob(), impatient)).rejects.toMatchObject({ code: 'meta_ads.report_never_finished' });
  });

  it('with missing rows is not loaded and not reused', async () => {
    await sandbox.addFault('truncate', { level: 'ad' });
    const job = aRemoteJob();
    await expect(read(aSlice('ad_daily', 20), job)).rejects.toMatchObject({ code: 'meta_ads.totals_differ' });
    expect(job.id).toBeNull();
  });

  it('keeps its id when the token expires, and is resumed with the next one', async () => {
    const own = await sandbox.signIn('demo@example.com');
    const job = aRemoteJob();
    const struck = savingThen(job, () => void sandbox.addFault('expire_token', { user: 'demo@example.com' }));
    await sandbox.addFault('report_never_finishes', { times: 1 });
    await expect(read(aSlice(), struck, sandbox.source(own))).rejects.toMatchObject({ code: 'meta_ads.token_expired' });
    expect(job.id).not.toBeNull();
    await sandbox.clearFaults();
    const next = sandbox.source(await sandbox.signIn('demo@example.com'));
    await sandbox.newRequests();
    await expect(read(aSlice(), job, next)).resolves.toBeDefined();
    expect((await askedFor())['start']).toBeUndefined();
  });
});

it('a too large slice is rejected before any of its rows is yielded', async () => {
  await sandbox.addFault('report_too_big', { maximumRows: 900 });
  let pages = 0;
  const slice = aSlice('ad_age_gender_daily', 6);
  const reading = async () => {
    for await (const page of source.read(aContext(), slice)) pages += page.rowCount;
  };
  await expect(reading()).rejects.toBeInstanceOf(SplitSlice);
  expect(pages).toBe(0);
});

/** A job that runs `happen` as soon as its id is saved. */
function savingThen(job: RemoteJob, happen: () => void): RemoteJob {
  return {
    get id() {
      return job.id;
    },
    save: async (id) => {
      await job.save(id);
      if (id !== null) happen();
    },
  };
}
