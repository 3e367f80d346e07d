import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { daily, de, errorOf, rowsOf, startMeta } from './meta.ts';

let meta: Awaited<ReturnType<typeof startMeta>>;
let demo: string;
beforeAll(async () => {
  meta = await startMeta();
  demo = await meta.signIn();
});
afterEach(async () => {
  await meta.admin('faults', undefined, 'DELETE');
  await meta.admin('clock', { offsetDays: 0 });
});
afterAll(() => meta.close());

const statusOf = (body: { async_status?: unknown; async_percent_completion?: unknown } | undefined): string =>
  `${String(body?.async_status)} ${String(body?.async_percent_completion)}`;
const finished = async (parameters: Record<string, string>): Promise<string> => {
  const id = await meta.startRun(demo, de, parameters);
  await meta.poll(demo, id);
  return id;
};

describe('a report run', () => {
  it('is not started, started, running, and complete at 100 percent', async () => {
    const seen = await meta.poll(demo, await meta.startRun(demo, de, daily('ad', 60, 1, { breakdowns: 'age,gender' })));
    expect([...new Set(seen.map((state) => String(state.async_status)))]).toEqual([
      'Job Not Started',
      'Job Started',
      'Job Running',
      'Job Completed',
    ]);
    expect(seen.map(statusOf)).toEqual(expect.arrayContaining(['Job Running 100', 'Job Completed 99', 'Job Completed 100']));
    expect(seen.at(-1)).toMatchObject({ account_id: de, time_completed: expect.any(Number) });
  });

  it('cannot be read before it is complete', async () => {
    const id = await meta.startRun(demo, de, daily('campaign', 20, 10));
    expect(errorOf(await meta.get(`${id}/insights`, demo))).toBe('2601/1815107');
  });

  it('has the rows of the synchronous report, in pages of its own', async () => {
    const id = await finished(daily('campaign', 20, 10));
    const whole = rowsOf(await meta.insights(demo, de, daily('campaign', 20, 10)));
    const first = await meta.get(`${id}/insights`, demo, { limit: '25' });
    const next = new URL(String(first.body.paging?.next));
    expect(next.href).toContain(`${meta.url}/meta-ads/v26.0/${id}/insights?`);
    const second = await meta.get(`${id}/insights`, demo, { limit: '1000', after: next.searchParams.get('after') ?? '' });
    expect([...rowsOf(first), ...rowsOf(second)]).toEqual(whole);
  });

  it('accepts larger reports than a synchronous one, up to its own limit', async () => {
    const id = await finished(daily('ad', 60, 1, { breakdowns: 'age,gender' }));
    expect(rowsOf(await meta.get(`${id}/insights`, demo, { limit: '50000' })).length).toBeGreaterThan(8_000);
    const seen = await meta.poll(demo, await meta.startRun(demo, de, daily('ad', 390, 1, { breakdowns: 'age,gender' })));
    expect(seen.at(-1)).toMatchObject({ async_status: 'Job Failed', error_code: -3, error_subcode: 1_504_045 });
  });

  it('contains the rows of a breakdown that is empty in a synchronous read', async () => {
    const id = await finished(daily('ad', 9, 9, { breakdowns: 'publisher_platform,impression_device' }));
    expect(rowsOf(await meta.get(`${id}/insights`, demo))[0]).toMatchObject({ impression_device: expect.any(String) });
  });

  it('is hidden from other users, and expires after 30 days', async () => {
    const id = await finished(daily('campaign', 3, 3));
    expect(errorOf(await meta.get(id, await meta.signIn('limited@example.com')))).toBe('100/33');
    await meta.admin('clock', { offsetDays: 31 });
    expect(errorOf(await meta.get(id, demo))).toBe('100/33');
  });

  it('survives a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const before = await startMeta({ dataDir });
    const token = await before.signIn();
    const id = await before.startRun(token, de, daily('campaign', 3, 3));
    await before.close();
    const after = await startMeta({ dataDir });
    expect((await after.poll(token, id)).map(statusOf).at(-1)).toBe('Job Completed 100');
    expect(rowsOf(await after.get(`${id}/insights`, token)).length).toBeGreaterThan(3);
    await after.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe('a failing report run', () => {
  it.each([
    ['report_failed', { async_status: 'Job Failed', error_code: -2, error_subcode: 2_490_547 }],
    ['report_too_big', { async_status: 'Job Failed', error_code: -3, error_subcode: 1_504_045 }],
    ['report_skipped', { async_status: 'Job Skipped' }],
    ['report_failed', { async_status: 'Job Failed', error_code: 1 }, { code: 1 }],
    ['report_failed', { error_code: 2, error_subcode: 1_504_043 }, { code: 2, subcode: 1_504_043 }],
    ['report_failed', { error_code: 2, error_subcode: 1_504_044 }, { code: 2, subcode: 1_504_044 }],
    ['report_failed', { error_code: 4, error_subcode: 1_504_022 }, { code: 4, subcode: 1_504_022 }],
  ])('with %s ends with the reason %j, and the next one is complete', async (fault, ending, parameters: object = {}) => {
    await meta.fault(fault, { times: 1, ...parameters });
    const id = await meta.startRun(demo, de, daily('campaign', 9, 3));
    expect((await meta.poll(demo, id)).at(-1)).toMatchObject(ending);
    expect(errorOf(await meta.get(`${id}/insights`, demo))).toBe('2601/1815107');
    expect(rowsOf(await meta.get(`${await finished(daily('campaign', 9, 3))}/insights`, demo)).length).toBeGreaterThan(10);
  });

  it('is not found at first', async () => {
    await meta.fault('run_unknown', { forMs: 150 });
    const id = await meta.startRun(demo, de, daily('campaign', 9, 3));
    expect(errorOf(await meta.get(id, demo))).toBe('100/33');
    await expect.poll(async () => (await meta.get(id, demo)).status).toBe(200);
  });

  it('never finishes', async () => {
    await meta.fault('report_never_finishes', { times: 1 });
    const seen = await meta.poll(demo, await meta.startRun(demo, de, daily('campaign', 9, 3)), 60);
    expect(statusOf(seen.at(-1))).toBe('Job Running 42');
  });
});

it('a synchronous report times out with a fault', async () => {
  await meta.fault('time_out', { times: 1, level: 'campaign' });
  expect((await meta.insights(demo, de, daily('account', 9, 3))).status).toBe(200);
  expect(errorOf(await meta.insights(demo, de, daily('campaign', 9, 3)))).toBe('2/1504038');
});

describe('the rows of a complete report run', () => {
  it.each([
    ['run_lost', '100/33', 'Unsupported get request'],
    ['run_fields_lost', '100', "(#100) Cannot include impressions,spend in summary param because they weren't there"],
  ])('fail with %s, and are returned afterwards', async (fault, code, text) => {
    const id = await finished(daily('campaign', 9, 3, { fields: 'impressions,spend' }));
    await meta.fault(fault, { times: 1 });
    const failed = await meta.get(`${id}/insights`, demo);
    expect([errorOf(failed), failed.body.error]).toMatchObject([code, { message: expect.stringContaining(text) }]);
    expect(rowsOf(await meta.get(`${id}/insights`, demo)).length).toBeGreaterThan(10);
  });
});

it('a page that is too large is code 1, or 1/99 as an unknown error', async () => {
  const ask = (limit: string) => meta.insights(demo, de, { ...daily('campaign', 9, 3), limit });
  await meta.fault('page_too_large', { mostRows: 20 });
  expect([errorOf(await ask('21')), (await ask('20')).status]).toEqual(['1', 200]);
  await meta.admin('faults', undefined, 'DELETE');
  await meta.fault('page_too_large', { mostRows: 20, subcode: 99 });
  expect([errorOf(await ask('21')), (await ask('20')).status]).toEqual(['1/99', 200]);
});

it('one account is forbidden with code 200, or with a bare code 100', async () => {
  await meta.fault('permission', { accountId: de, times: 1 });
  expect(errorOf(await meta.insights(demo, de, daily('campaign', 3, 3)))).toBe('200');
  await meta.fault('permission', { accountId: de, code: 100 });
  const bare = await meta.insights(demo, de, daily('campaign', 3, 3));
  expect([errorOf(bare), bare.body.error]).toMatchObject(['100', { message: '(#100) Missing permissions' }]);
});

it('one day of a level has one impression more than the other levels, in every read', async () => {
  const impressions = async (level: string): Promise<Record<string, number>> => {
    const days: Record<string, number> = {};
    for (const { date_start: day = '', impressions: count } of rowsOf(await meta.insights(demo, de, daily(level, 9, 3))))
      days[day] = (days[day] ?? 0) + Number(count);
    return days;
  };
  const whole = await impressions('account');
  const day = Object.keys(whole)[2] as string;
  await meta.fault('level_differs', { level: 'ad', day });
  const differing = { ...whole, [day]: Number(whole[day]) + 1 };
  expect([await impressions('ad'), await impressions('ad')]).toEqual([differing, differing]);
  expect([await impressions('account'), await impressions('campaign')]).toEqual([whole, whole]);
});
