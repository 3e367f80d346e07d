import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StreamRow, StreamTotals } from '../src/stream-rows.ts';
import { daysAgo, startGoogle } from './google.ts';

let google: Awaited<ReturnType<typeof startGoogle>>;

beforeAll(async () => {
  google = await startGoogle();
});
afterAll(() => google.close());

const [from, to] = [daysAgo(12), daysAgo(3)];

it.each([
  ['google-ads', 'customerId=9001000011', ['campaign_daily', 'ad_group_daily']],
  ['meta-ads', 'accountId=310000000000012', ['campaign_daily', 'ad_set_daily', 'ad_daily']],
  ['microsoft-ads', 'accountId=180500016', ['campaign_daily', 'ad_group_daily']],
])('%s: the rows of a stream have unique keys, days of the range, and the sums of its totals', async (path, account, names) => {
  const read = async <Body>(query: string): Promise<Body> =>
    (await google.admin(`${path}/${query}&from=${from}&to=${to}`)).body as Body;
  const { streams } = await read<{ streams: Record<string, StreamTotals> }>(`totals?${account}`);
  for (const name of names) {
    const { rows } = await read<{ rows: StreamRow[] }>(`rows?${account}&stream=${name}`);
    const sum = (valueOf: (row: StreamRow) => number): number => rows.reduce((total, row) => total + valueOf(row), 0);
    expect(streams[name]).toEqual({
      rows: rows.length,
      costMicros: String(sum(({ costMicros }) => Number(costMicros))),
      clicks: sum(({ clicks }) => clicks),
      impressions: sum(({ impressions }) => impressions),
    });
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ date, key }) => `${date} ${key}`)).size).toBe(rows.length);
    expect(rows.every(({ date }) => date >= from && date <= to)).toBe(true);
  }
});

it('an unknown stream is rejected with the names of the known ones', async () => {
  const { status, body } = await google.admin(`meta-ads/rows?accountId=310000000000012&stream=nothing&from=${from}&to=${to}`);
  expect(status).toBe(400);
  expect(body.known).toContain('campaign_daily');
});
