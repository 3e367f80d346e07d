import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { daily, daysAgo, de, jp, outlet, range, rowsOf, startMeta, sumOf, us, type Row } from './meta.ts';

let meta: Awaited<ReturnType<typeof startMeta>>;
let demo: string;
beforeAll(async () => {
  meta = await startMeta();
  demo = await meta.signIn();
});
afterEach(() => meta.admin('clock', { offsetDays: 0 }));
afterAll(() => meta.close());

const read = async (accountId: string, parameters: Record<string, string>, reader = meta, token = demo): Promise<Row[]> =>
  rowsOf(await reader.insights(token, accountId, parameters));
const sums = (rows: Row[]) => [sumOf(rows, 'impressions'), sumOf(rows, 'clicks'), sumOf(rows, 'spend')];

describe.each([de, us, jp, outlet])('account %s', (accountId) => {
  it('has the same sums at every level, on every day, in the total and in complete breakdowns', async () => {
    for (const day of [12, 40, 200]) {
      const total = sums(await read(accountId, daily('account', day, day)));
      for (const level of ['campaign', 'adset', 'ad']) expect(sums(await read(accountId, daily(level, day, day)))).toEqual(total);
      for (const breakdowns of ['age,gender', 'gender', 'publisher_platform,platform_position'])
        expect(sums(await read(accountId, daily('ad', day, day, { breakdowns })))).toEqual(total);
    }
    const whole = await read(accountId, { level: 'account', fields: 'impressions,clicks,spend', time_range: range(60, 20) });
    expect(whole).toHaveLength(1);
    expect(sums(whole)).toEqual(sums(await read(accountId, daily('account', 60, 20))));
  });

  it('has fewer impressions by country than in total on some days', async () => {
    const [total = 0, parts = 0] = [
      sumOf(await read(accountId, daily('account', 30, 5)), 'impressions'),
      sumOf(await read(accountId, daily('ad', 30, 5, { breakdowns: 'country' })), 'impressions'),
    ];
    expect(parts).toBeLessThan(total);
    expect(parts).toBeGreaterThan(total * 0.95);
  });

  it('has test totals equal to the API’s', async () => {
    const { body } = await meta.admin(`meta-ads/totals?accountId=${accountId}&from=${daysAgo(9)}&to=${daysAgo(5)}`);
    const streams = body.streams as unknown as Record<
      string,
      { rows: number; costMicros: string; clicks: number; impressions: number }
    >;
    const rows = await read(accountId, daily('ad', 9, 5, { breakdowns: 'age,gender' }));
    expect(streams.ad_age_gender_daily).toEqual({
      rows: rows.length,
      costMicros: String(sumOf(rows, 'spend') * 10_000),
      clicks: sumOf(rows, 'clicks'),
      impressions: sumOf(rows, 'impressions'),
    });
    expect(Object.keys(streams)).toHaveLength(8);
  });

  it('never has more clicks than impressions, and sixty campaign rows a day at most', async () => {
    const rows = await read(accountId, daily('ad', 10, 4, { breakdowns: 'age,gender' }));
    expect(rows.filter((row) => Number(row.clicks) > Number(row.impressions))).toEqual([]);
    const campaigns = await read(accountId, daily('campaign', 30, 3));
    expect(campaigns.length).toBeGreaterThan(100);
    expect(campaigns.length).toBeLessThan(60 * 28);
  });
});

describe('numbers', () => {
  it('are the same in another sandbox', async () => {
    const other = await startMeta();
    const token = await other.signIn();
    expect(await read(outlet, daily('ad', 90, 60), other, token)).toEqual(await read(outlet, daily('ad', 90, 60)));
    await other.close();
  });

  it('end with the today of the account and begin 400 days before', async () => {
    const dates = (await read(jp, daily('account', 900, -2))).map((row) => String(row.date_start)).toSorted();
    expect(dates.at(-1)! <= new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' }).format(new Date())).toBe(true);
    expect(dates[0]! >= daysAgo(401)).toBe(true);
  });

  it('are missing on some days of one account, and are whole yen in yen', async () => {
    const rows = await read(jp, daily('account', 100, 2));
    expect(rows.length).toBeLessThan(99);
    expect(rows.filter((row) => String(row.spend).includes('.'))).toEqual([]);
  });
});

describe('a day', () => {
  const purchases = (rows: Row[]): number =>
    rows.reduce((sum, row) => {
      const actions = (row.actions ?? []) as unknown as { action_type: string; value: string }[];
      return sum + Number(actions.find((action) => action.action_type === 'omni_purchase')?.value ?? 0);
    }, 0);

  it('gains purchases for 28 days and loses invalid clicks', async () => {
    const before = await read(de, daily('campaign', 2, 2));
    await meta.admin('clock', { offsetDays: 30 });
    const after = await read(de, daily('campaign', 2, 2));
    expect(purchases(after)).toBeGreaterThan(purchases(before) * 1.5);
    expect(sumOf(after, 'clicks')).toBeLessThan(sumOf(before, 'clicks'));
    expect(sumOf(after, 'spend')).toBeLessThan(sumOf(before, 'spend'));
  });

  it('is final after 28 days', async () => {
    const before = await read(us, daily('ad', 31, 29));
    await meta.admin('clock', { offsetDays: 50 });
    expect(await read(us, daily('ad', 31, 29))).toEqual(before);
  });

  it('changes between two reads while it is recent, unlike other days', async () => {
    const time_range = JSON.stringify({ since: daysAgo(5), until: daysAgo(-1) });
    const byDay = async () =>
      new Map(
        (await read(de, { ...daily('account', 5, 5), time_range })).map((row) => [row.date_start, Number(row.impressions)]),
      );
    await meta.fault('numbers_move');
    const [one, other] = [await byDay(), await byDay()];
    await meta.admin('faults', undefined, 'DELETE');
    const differing = [...one.keys()].filter((day) => one.get(day) !== other.get(day));
    expect(differing).toEqual([[...one.keys()].at(-1)]);
  });

  it.each([
    [97, 0.96, 0.98],
    [102, 1.01, 1.03],
  ])('has parts that sum to %s percent of the total', async (percent, least, most) => {
    await meta.fault('breakdown_differs', { percent });
    const parts = sumOf(await read(de, daily('ad', 40, 38, { breakdowns: 'age,gender' })), 'impressions');
    const whole = sumOf(await read(de, daily('account', 40, 38)), 'impressions');
    await meta.admin('faults', undefined, 'DELETE');
    expect(parts / whole).toBeGreaterThan(least);
    expect(parts / whole).toBeLessThan(most);
  });

  it('can be restated: numbers change, rows are removed and added, and the sums still match', async () => {
    const key = (row: Row): string => `${row.date_start} ${row.ad_id}`;
    const before = await read(de, daily('ad', 50, 44));
    const outside = await read(de, daily('ad', 43, 40));
    await meta.fault('restate', { accountId: de, from: daysAgo(50), to: daysAgo(44) });
    const after = await read(de, daily('ad', 50, 44));
    const [keysBefore, keysAfter] = [new Set(before.map(key)), new Set(after.map(key))];
    expect(keysBefore.difference(keysAfter).size).toBeGreaterThan(0);
    expect(keysAfter.difference(keysBefore).size).toBeGreaterThan(0);
    expect(sums(after)).not.toEqual(sums(before));
    expect(sums(await read(de, daily('account', 50, 44)))).toEqual(sums(after));
    expect(await read(de, daily('ad', 43, 40))).toEqual(outside);
  });
});
