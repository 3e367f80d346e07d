import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { AdAccount, Stream } from '../../connectors/kit/contract.js';
import { addDays, listDays } from '../../connectors/kit/days.js';
import { coverageKey, type PlanInput, planSlices, SLICE_DAYS, splitSlice } from './plan-slices.js';

const stream = { name: 'campaign_daily' } as Stream;
const account = (externalId: string, timeZone: string): AdAccount => ({
  externalId,
  name: externalId,
  currency: 'EUR',
  timeZone,
  managerId: null,
  managerName: null,
  status: 'enabled',
});
const now = new Date('2026-11-20T16:00:00Z');

const plan = (change: Partial<PlanInput>) =>
  planSlices({
    streams: [stream],
    accounts: [account('de', 'Europe/Berlin')],
    lookbackDays: new Map([['de', 7]]),
    historyFrom: '2026-10-01',
    now,
    settledDays: new Map(),
    freshDays: new Map(),
    lostDays: new Map(),
    isWhole: false,
    ...change,
  });
const settled = (from: string, to: string, accountId = 'de') =>
  new Map([[coverageKey('campaign_daily', accountId), new Set(listDays(from, to))]]);

describe('planSlices', () => {
  it('loads the whole history first time, newest first, in slices of at most 31 days', () => {
    const slices = plan({});
    expect(slices.map(({ from, to }) => `${from} ${to}`)).toEqual(['2026-11-01 2026-11-20', '2026-10-01 2026-10-31']);
  });

  it('reads only the lookback window when all days are final', () => {
    expect(plan({ settledDays: settled('2026-10-01', '2026-11-19') })).toEqual([
      { stream: 'campaign_daily', accountId: 'de', from: '2026-11-13', to: '2026-11-20' },
    ]);
  });

  it('fills a past gap in addition to the lookback window', () => {
    const days = settled('2026-10-01', '2026-11-19');
    days.get('campaign_daily/de')?.delete('2026-10-05');
    expect(plan({ settledDays: days }).map(({ from, to }) => `${from} ${to}`)).toEqual([
      '2026-11-13 2026-11-20',
      '2026-10-05 2026-10-05',
    ]);
  });

  describe('when the lookback window was already read today', () => {
    const known = { settledDays: settled('2026-10-01', '2026-11-12'), freshDays: settled('2026-10-01', '2026-11-20') };
    const read = (change: Partial<PlanInput>) => plan({ ...known, ...change }).map(({ from, to }) => `${from} ${to}`);

    it('reads only today and the last three days', () => {
      expect(read({})).toEqual(['2026-11-17 2026-11-20']);
    });

    it('reads the whole lookback window in a manual run', () => {
      expect(read({ isWhole: true })).toEqual(['2026-11-13 2026-11-20']);
    });

    it('reads unread days: failed slices and missing days', () => {
      const freshDays = settled('2026-11-16', '2026-11-20');
      const settledDays = settled('2026-10-02', '2026-11-12');
      expect(read({ freshDays, settledDays })).toEqual([
        '2026-11-17 2026-11-20',
        '2026-11-13 2026-11-15',
        '2026-10-01 2026-10-01',
      ]);
    });

    it('reads only one recent day of an account with a lookback of one day', () => {
      expect(read({ lookbackDays: new Map([['de', 1]]), settledDays: settled('2026-10-01', '2026-11-18') })).toEqual([
        '2026-11-19 2026-11-20',
      ]);
    });
  });

  it("ends at today in each account's time zone", () => {
    const slices = plan({
      accounts: [account('jp', 'Asia/Tokyo'), account('us', 'America/Los_Angeles')],
      lookbackDays: new Map(),
      historyFrom: '2026-11-19',
    });
    expect(Object.fromEntries(slices.map(({ accountId, to }) => [accountId, to]))).toEqual({
      jp: '2026-11-21',
      us: '2026-11-20',
    });
  });

  it('covers every day that is not final exactly once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 })), fc.integer({ min: 0, max: 90 }), (offsets, lookback) => {
        const historyFrom = '2026-05-01';
        const settledDays = new Map([['campaign_daily/de', new Set(offsets.map((offset) => addDays(historyFrom, offset)))]]);
        const slices = plan({ historyFrom, settledDays, lookbackDays: new Map([['de', lookback]]) });
        const read = slices.flatMap(({ from, to }) => listDays(from, to));
        const wanted = listDays(historyFrom, '2026-11-20').filter(
          (day) => day >= addDays('2026-11-20', -lookback) || !settledDays.get('campaign_daily/de')?.has(day),
        );
        expect([...read].sort()).toEqual(wanted);
        for (const { from, to } of slices) expect(listDays(from, to).length).toBeLessThanOrEqual(SLICE_DAYS);
      }),
    );
  });
});

describe('splitSlice', () => {
  it('halves a slice without losing a day', () => {
    const halves = splitSlice({ stream: 's', accountId: 'a', from: '2026-11-01', to: '2026-11-05' });
    expect(halves?.map(({ from, to }) => `${from} ${to}`)).toEqual(['2026-11-01 2026-11-02', '2026-11-03 2026-11-05']);
  });

  it('does not split a single day', () => {
    expect(splitSlice({ stream: 's', accountId: 'a', from: '2026-11-01', to: '2026-11-01' })).toBeNull();
  });
});
