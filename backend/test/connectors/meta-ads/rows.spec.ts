import { describe, expect, it } from 'vitest';
import { listActions, purchasesOf } from '../../../src/connectors/meta-ads/actions.js';
import { toMicros, toNumber, toWhole } from '../../../src/connectors/meta-ads/amounts.js';
import { fieldsOf, toRows, type InsightsRow } from '../../../src/connectors/meta-ads/rows.js';
import {
  checkNotMissing,
  checkTotal,
  differingDays,
  differsOn,
  InsightsSums,
} from '../../../src/connectors/meta-ads/totals-check.js';
import { reports } from '../../../src/connectors/meta-ads/streams.js';
import { pauseMs, readUsage } from '../../../src/connectors/kit/meta-usage.js';
import { anAccount } from '../rows.js';

const report = (name: string) => reports.find(({ stream }) => stream.name === name)!;
const aRow = (overrides: InsightsRow = {}): InsightsRow => ({
  date_start: '2026-01-01',
  date_stop: '2026-01-01',
  campaign_id: '12010011900000011',
  campaign_name: 'Brand',
  impressions: '100',
  clicks: '10',
  spend: '5339.5',
  ...overrides,
});
const sumsOf = (...rows: InsightsRow[]): InsightsSums => {
  const sums = new InsightsSums();
  for (const row of rows) sums.add(row);
  return sums;
};

describe('amounts', () => {
  it.each([
    ['5339.5', 5_339_500_000n],
    ['0', 0n],
    ['0.07', 70_000n],
    ['0.000001', 1n],
    ['0.0000015', 2n],
    ['-12.30', -12_300_000n],
    ['123456789012.34', 123_456_789_012_340_000n],
  ])('of %s are exact', (text, micros) => {
    expect(toMicros(text)).toBe(micros);
  });

  it.each(['', '1e3', '1,5', 'NaN', '--1', '1.', ' 1'])('are rejected if they are not numbers: "%s"', (text) => {
    expect([toMicros(text), toNumber(text), toWhole(text)]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a row', () => {
  it.each([
    ['impressions', 100],
    ['impressions', '1.5'],
    ['spend', '1e3'],
    ['campaign_id', undefined],
    ['date_start', undefined],
    ['actions', 'none'],
    ['actions', [{ value: '1' }]],
    ['actions', [{ action_type: 'omni_purchase', value: 'many' }]],
    ['action_values', [{ action_type: 'omni_purchase', value: 5 }]],
  ])('with %s = %j is rejected by name', (field, value) => {
    expect(() => toRows(report('campaign_daily'), aRow({ [field]: value }), anAccount, [])).toThrow(
      expect.objectContaining({ name: 'CorruptAnswer', message: expect.stringContaining(field) }),
    );
  });

  it('has zero for omitted fields and null for an omitted reach', () => {
    const [row] = toRows(report('campaign_daily'), { date_start: '2026-01-01', campaign_id: '1' }, anAccount, []);
    expect(row).toMatchObject({
      impressions: 0n,
      clicks: 0n,
      cost_micros: 0n,
      link_clicks: 0n,
      purchases: 0,
      purchase_value_micros: 0n,
      reach: null,
    });
  });

  it('requests each field once, without days and breakdowns', () => {
    for (const one of reports) {
      const fields = fieldsOf(one);
      expect(new Set(fields).size).toBe(fields.length);
      for (const name of ['date_start', 'age', 'gender', 'country', 'publisher_platform']) expect(fields).not.toContain(name);
      expect(fields).toEqual(expect.arrayContaining(['impressions', 'clicks', 'spend']));
    }
  });
});

describe('purchases', () => {
  const entries = (...types: string[]) => types.map((action_type, index) => ({ action_type, value: String(index + 1) }));

  it.each([
    [['offsite_conversion.fb_pixel_purchase', 'purchase', 'omni_purchase'], 3],
    [['offsite_conversion.fb_pixel_purchase', 'purchase'], 2],
    [['offsite_conversion.fb_pixel_purchase'], 1],
    [['link_click'], 0],
  ])('of %j are counted once', (types, count) => {
    expect(purchasesOf({ actions: entries(...types) })).toEqual({ count, valueMicros: 0n });
  });

  it('are listed by window if there are any, also a value without a count', () => {
    const row = {
      actions: [{ action_type: 'purchase', value: '0', '28d_click': '2' }],
      action_values: [{ action_type: 'purchase', value: '9.9', '28d_click': '20.5' }],
    };
    expect(listActions(row, ['1d_click', '28d_click'])).toEqual([
      { type: 'purchase', window: 'default', count: 0, valueMicros: 9_900_000n },
      { type: 'purchase', window: '28d_click', count: 2, valueMicros: 20_500_000n },
    ]);
  });
});

describe('the verification of a slice', () => {
  const settled = { includes: () => true, name: 'from 2026-01-01 to 2026-01-02' };
  const account = aRow({ impressions: '200', clicks: '20', spend: '10.01' });

  const differing = (rows: InsightsSums, totals: InsightsSums) => differingDays({ rows, account: totals });

  it('accepts differences by rounding of each row', () => {
    const half = aRow({ spend: '5.00' });
    expect(differing(sumsOf(half, aRow({ spend: '5.02' })), sumsOf(account))).toEqual([]);
    const rows = sumsOf(half, aRow({ spend: '5.04' }));
    expect(differing(rows, sumsOf(account))).toEqual(['2026-01-01']);
    expect(differsOn('2026-01-01', { rows, account: sumsOf(account) }, { isSeparable: false }).message).toContain(
      'cost (micros)',
    );
  });

  it('rejects other differences, by day', () => {
    const rows = sumsOf(aRow({ spend: '5.00' }), aRow({ spend: '5.01', date_start: '2026-01-02' }));
    expect(differing(rows, sumsOf(account))).toEqual(['2026-01-01', '2026-01-02']);
    expect(differsOn('2026-01-01', { rows, account: sumsOf(account) }, { isSeparable: false }).message).toMatch(
      /on 2026-01-01 for impressions: expected 200, found 100/,
    );
    expect(() => checkTotal(rows, sumsOf(account), settled)).not.toThrow();
    expect(differing(sumsOf(), sumsOf(account))).toEqual(['2026-01-01']);
  });

  it('in total, accepts any difference on provisional days', () => {
    const first = { includes: (day: string) => day < '2026-01-02', name: 'from 2026-01-01 to 2026-01-01' };
    const rows = sumsOf(aRow(), aRow({ date_start: '2026-01-02', impressions: '7' }));
    expect(() => checkTotal(rows, sumsOf(aRow()), first)).not.toThrow();
    expect(() => checkTotal(rows, sumsOf(aRow({ impressions: '101' })), first)).toThrow(
      /from 2026-01-01 to 2026-01-01 for impressions: expected 101, found 100/,
    );
  });

  it('accepts less or more than the account, but not zero of something', () => {
    for (const impressions of ['1', '300'])
      expect(() => checkNotMissing(sumsOf(aRow({ impressions })), sumsOf(account))).not.toThrow();
    expect(() => checkNotMissing(sumsOf(), sumsOf(account))).toThrow(/no rows although the account had 200 impressions/);
    expect(() => checkNotMissing(sumsOf(), sumsOf())).not.toThrow();
  });
});

describe('the usage headers', () => {
  const headers = (values: Record<string, unknown>) =>
    new Headers(Object.entries(values).map(([name, value]): [string, string] => [name, JSON.stringify(value)]));

  it('give the highest percentage and the longest wait', () => {
    const usage = readUsage(
      headers({
        'x-app-usage': { call_count: 28, total_time: 25, total_cputime: 25 },
        'x-business-use-case-usage': { '1': [{ type: 'ads_insights', call_count: 100, estimated_time_to_regain_access: 19 }] },
        'x-fb-ads-insights-throttle': { app_id_util_pct: 10, acc_id_util_pct: 84, ads_api_access_tier: 'standard_access' },
      }),
    );
    expect(usage).toEqual({ usedPercent: 100, regainSeconds: 1_140 });
  });

  it('give null if missing or unreadable', () => {
    expect(readUsage(new Headers())).toBeNull();
    expect(readUsage(new Headers({ 'x-app-usage': '{' }))).toBeNull();
  });

  it('increase the pause before the next call from 75 percent on', () => {
    const pauses = [0, 74, 75, 85, 100].map((usedPercent) => pauseMs({ usedPercent, regainSeconds: null }));
    expect(pauses.slice(0, 2)).toEqual([0, 0]);
    expect(pauses).toEqual(pauses.toSorted((left, right) => left - right));
    expect(pauses[2]).toBeGreaterThan(0);
    expect(pauses.at(-1)).toBe(20_000);
  });
});
