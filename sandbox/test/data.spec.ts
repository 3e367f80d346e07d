import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  adGroupDaily,
  campaignDaily,
  daysAgo,
  de,
  jp,
  manager,
  outlet,
  rowsOf,
  startGoogle,
  sumOf,
  us,
  type Json,
} from './google.ts';

let google: Awaited<ReturnType<typeof startGoogle>>;
let demo: string;
beforeAll(async () => {
  google = await startGoogle();
  demo = (await google.signIn()).access_token;
});
afterEach(() => google.admin('clock', { offsetDays: 0 }));
afterAll(() => google.close());

const loginFor = (customerId: string): string | undefined => (customerId === outlet ? undefined : manager);
const read = async (customerId: string, query: string): Promise<Json[]> =>
  rowsOf(await google.stream(demo, customerId, query, loginFor(customerId)));

/** Sums by campaign and day. */
function byCampaignDay(rows: Json[]): Map<string, [number, number, number]> {
  const sums = new Map<string, [number, number, number]>();
  for (const row of rows) {
    const key = `${String(row.campaign?.id)} ${String(row.segments?.date)}`;
    const sum = sums.get(key) ?? [0, 0, 0];
    (['impressions', 'clicks', 'costMicros'] as const).forEach(
      (metric, index) => (sum[index] = sum[index]! + Number(row.metrics?.[metric] ?? 0)),
    );
    sums.set(key, sum);
  }
  return sums;
}

describe.each([de, us, jp, outlet])('account %s', (customerId) => {
  it('has the same cost, clicks and impressions by campaign as by ad group, on every day', async () => {
    const campaigns = byCampaignDay(await read(customerId, campaignDaily(daysAgo(395), daysAgo(0))));
    const adGroups = byCampaignDay(await read(customerId, adGroupDaily(daysAgo(395), daysAgo(0))));
    expect(campaigns.size).toBeGreaterThan(1_500);
    expect(adGroups).toEqual(campaigns);
  });

  it('has totals equal to those of search and searchStream', async () => {
    const [from, to] = [daysAgo(120), daysAgo(1)];
    const { body: totals } = await google.admin(`google-ads/totals?customerId=${customerId}&from=${from}&to=${to}`);
    const streamed = await read(customerId, campaignDaily(from, to));
    const searched = rowsOf(await google.search(demo, customerId, campaignDaily(from, to), loginFor(customerId)));
    expect(searched).toEqual(streamed);
    const adGroups = await read(customerId, adGroupDaily(from, to));
    const sums = (rows: Json[]) => ({
      rows: rows.length,
      costMicros: String(sumOf(rows, 'costMicros')),
      clicks: sumOf(rows, 'clicks'),
      impressions: sumOf(rows, 'impressions'),
    });
    expect(totals).toMatchObject({ streams: { campaign_daily: sums(streamed), ad_group_daily: sums(adGroups) } });
  });

  it('splits ad groups into ads, search campaigns into keywords and campaigns into countries, exact to the micro', async () => {
    const days = `segments.date BETWEEN '${daysAgo(20)}' AND '${daysAgo(1)}'`;
    const metrics = 'segments.date, campaign.id, metrics.impressions, metrics.clicks, metrics.cost_micros';
    const sumsOf = async (from: string, field: string, where = '') =>
      byCampaignDay(await read(customerId, `SELECT ${field}, ${metrics} FROM ${from} WHERE ${days}${where}`));
    const isSearch = " AND campaign.advertising_channel_type = 'SEARCH'";
    const campaigns = await sumsOf('campaign', 'campaign.name');
    expect(await sumsOf('ad_group_ad', 'ad_group_ad.ad.id, ad_group_ad.ad.type')).toEqual(campaigns);
    expect(await sumsOf('geographic_view', 'geographic_view.country_criterion_id')).toEqual(campaigns);
    const searching = await sumsOf('campaign', 'campaign.name', isSearch);
    expect(await sumsOf('keyword_view', 'ad_group_criterion.keyword.text')).toEqual(searching);
    const terms = await sumsOf('search_term_view', 'search_term_view.search_term');
    expect([...terms.keys()].every((key) => (terms.get(key)?.[0] ?? 0) <= (searching.get(key)?.[0] ?? 0))).toBe(true);
    const total = (sums: typeof terms) => [...sums.values()].reduce((sum, [impressions]) => sum + impressions, 0);
    expect(total(terms) / total(searching)).toBeCloseTo(0.8, 1);
  });

  it('returns conversions by action that add up to the campaign’s, and no other metric by action', async () => {
    const days = `segments.date BETWEEN '${daysAgo(30)}' AND '${daysAgo(1)}'`;
    const rows = await read(
      customerId,
      `SELECT campaign.id, segments.date, segments.conversion_action, segments.conversion_action_name, metrics.conversions FROM campaign WHERE ${days}`,
    );
    const plain = await read(customerId, `SELECT campaign.id, segments.date, metrics.conversions FROM campaign WHERE ${days}`);
    expect(new Set(rows.map((row) => String(row.segments?.conversionActionName)))).toEqual(
      new Set(['Purchase', 'Newsletter sign-up']),
    );
    expect(sumOf(rows, 'conversions')).toBeCloseTo(sumOf(plain, 'conversions'), 6);
  });

  it('returns the same day twice', async () => {
    const query = campaignDaily(daysAgo(3), daysAgo(0));
    expect(await read(customerId, query)).toEqual(await read(customerId, query));
  });

  it('never has more clicks than impressions, nor cost without clicks', async () => {
    const rows = await read(customerId, adGroupDaily(daysAgo(60), daysAgo(0)));
    expect(rows.filter((row) => Number(row.metrics?.clicks ?? 0) > Number(row.metrics?.impressions))).toEqual([]);
    expect(rows.filter((row) => row.metrics?.costMicros && !row.metrics.clicks)).toEqual([]);
  });
});

describe('another sandbox', () => {
  it('has the same numbers', async () => {
    const other = await startGoogle();
    const query = campaignDaily(daysAgo(90), daysAgo(60));
    const token = (await other.signIn()).access_token;
    expect(rowsOf(await other.stream(token, outlet, query))).toEqual(await read(outlet, query));
    await other.close();
  });
});

describe('days', () => {
  it('are the account’s: from 400 days ago to its today', async () => {
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' }).format(new Date());
    const rows = await read(jp, campaignDaily(daysAgo(600), '2099-12-31'));
    const dates = rows.map((row) => String(row.segments?.date)).toSorted();
    expect(dates.at(-1)! <= today).toBe(true);
    expect(dates[0]! >= daysAgo(401)).toBe(true);
  });

  it('are sometimes without traffic in one account', async () => {
    const rows = await read(jp, campaignDaily(daysAgo(100), daysAgo(2)));
    expect(new Set(rows.map((row) => String(row.segments?.date))).size).toBeLessThan(99);
  });

  it('cost whole yen in yen', async () => {
    const rows = await read(jp, campaignDaily(daysAgo(30), daysAgo(2)));
    expect(rows.filter((row) => Number(row.metrics?.costMicros ?? 0) % 1_000_000 !== 0)).toEqual([]);
  });
});

describe('a day', () => {
  const [young, date] = [daysAgo(2), daysAgo(10)];
  const conversions = async (customerId: string, day: string): Promise<number> =>
    sumOf(await read(customerId, campaignDaily(day, day)), 'conversions');

  it('gains conversions within the lookback window', async () => {
    const before = await conversions(de, young);
    await google.admin('clock', { offsetDays: 10 });
    expect(await conversions(de, young)).toBeGreaterThan(before * 1.5);
  });

  it('loses invalid clicks and their cost', async () => {
    const before = sumOf(await read(de, campaignDaily(young, young)), 'costMicros');
    await google.admin('clock', { offsetDays: 10 });
    const after = sumOf(await read(de, campaignDaily(young, young)), 'costMicros');
    expect(after).toBeLessThan(before);
    expect(after).toBeGreaterThan(before * 0.9);
  });

  it('is final after the lookback window', async () => {
    const before = await read(us, campaignDaily(date, date));
    await google.admin('clock', { offsetDays: 30 });
    expect(await read(us, campaignDaily(date, date))).toEqual(before);
  });

  it('gains view-through conversions for the view-through window, which may be longer', async () => {
    const query = `SELECT campaign.id, metrics.conversions, metrics.view_through_conversions FROM campaign WHERE segments.date BETWEEN '${daysAgo(20)}' AND '${daysAgo(16)}'`;
    const sums = async () => {
      const rows = await read(jp, query);
      return { conversions: sumOf(rows, 'conversions'), viewed: sumOf(rows, 'viewThroughConversions') };
    };
    const before = await sums();
    await google.admin('clock', { offsetDays: 6 });
    const final = await sums();
    expect(final.conversions).toBe(before.conversions);
    expect(final.viewed).toBeGreaterThan(before.viewed);
    await google.admin('clock', { offsetDays: 30 });
    expect(await sums()).toEqual(final);
  });

  it('can be restated: numbers change, rows are removed and added, and the sums still match', async () => {
    const [from, to] = [daysAgo(50), daysAgo(44)];
    const key = (row: Json): string => `${String(row.campaign?.id)} ${JSON.stringify(row.segments)}`;
    const before = await read(de, campaignDaily(from, to));
    const outside = await read(de, campaignDaily(daysAgo(43), daysAgo(40)));
    expect((await google.fault('restate', { customerId: de, from, to })).status).toBe(201);
    const after = await read(de, campaignDaily(from, to));
    const [keysBefore, keysAfter] = [new Set(before.map(key)), new Set(after.map(key))];
    expect(keysBefore.difference(keysAfter).size).toBeGreaterThan(0);
    expect(keysAfter.difference(keysBefore).size).toBeGreaterThan(0);
    expect(sumOf(after, 'costMicros')).not.toBe(sumOf(before, 'costMicros'));
    expect(byCampaignDay(await read(de, adGroupDaily(from, to)))).toEqual(byCampaignDay(after));
    expect(await read(de, campaignDaily(daysAgo(43), daysAgo(40)))).toEqual(outside);
    expect((await google.admin('faults')).body.faults).toEqual([]);
  });
});
