import { expect, test } from 'vitest';
import type { DailyTotals } from '~/api/types';
import { describeDay, markOf, runsText, summaryOf } from './describe-days';

const day = { date: '2026-11-13', rows: 350, provisionalRows: 0, costMicros: '9123110000', isProvisional: false };
const daily = (given: Partial<DailyTotals> = {}): DailyTotals => ({
  ...{ currency: 'USD', isMixedCurrency: false, currencies: [], days: [day], runs: [] },
  ...given,
});
const runs = { date: '2026-11-13', verified: 24, incomplete: 0, failed: 1 };

test.each([
  ['final rows', daily(), day, '350 rows, final · $9,123.11'],
  [
    'rows of which some may change',
    daily(),
    { ...day, provisionalRows: 20, isProvisional: true },
    '350 rows, 20 provisional · $9,123.11',
  ],
  ['a cost without a rate', daily(), { ...day, costMicros: null }, '350 rows, final · no exchange rate'],
  ['runs', daily({ runs: [runs] }), day, '350 rows, final · $9,123.11 · runs: 24 verified, 1 failed'],
  ['runs of another day', daily({ runs: [{ ...runs, date: '2026-11-14' }] }), day, '350 rows, final · $9,123.11'],
])('describes a day with %s', (_, of, one, text) => expect(describeDay(of, one)).toBe(text));

test('marks a day by the worst end of its runs', () => {
  expect(markOf(undefined)).toBeUndefined();
  expect(markOf({ ...runs, failed: 0 })).toBe('good');
  expect(markOf({ ...runs, failed: 0, incomplete: 2 })).toBe('warn');
  expect(markOf(runs)).toBe('danger');
  expect(runsText({ ...runs, verified: 0, incomplete: 2 })).toBe('2 incomplete, 1 failed');
});

test('a day and the summary of rows without a currency contain no cost', () => {
  const events = daily({ currency: 'XXX', days: [{ ...day, costMicros: '0' }] });
  expect(describeDay(events, events.days[0]!)).toBe('350 rows, final');
  expect(summaryOf(events, new Date('2026-11-14T12:00:00Z'))).toMatch(/^350 rows from/);
});

test('the summary of one day with one row uses the singular', () => {
  const one = daily({ days: [{ ...day, rows: 1, provisionalRows: 1, isProvisional: true }] });
  expect(summaryOf(one, new Date('2026-11-14T12:00:00Z'))).toMatch(
    /^1 row and .*Maximum: 1 row on .*\. 1 day may still change\.$/,
  );
});
