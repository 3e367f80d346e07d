import { describe, expect, test } from 'vitest';
import { addDays, formatDay, formatDayHeading, formatDayRange, formatMoment, formatNearDay } from './dates';
import { formatDuration, formatMinutes, formatTimeLeft } from './durations';
import { formatMoney, sumMicros } from '~/domain/billing/money';
import { formatBytes, axisTicks, formatAxis, formatCount, formatEstimate, plural } from './numbers';
import { formatDayAge, formatFuture, formatPast } from './relative-time';

const now = new Date('2026-11-20T09:14:00Z');

describe('money', () => {
  test('an unknown amount is a dash, never a zero', () => expect(formatMoney(null, 'EUR')).toBe('—'));
  test('micros become cents with the currency beside them', () => expect(formatMoney('174306420000', 'EUR')).toBe('€174,306.42'));
  test('half a cent rounds up', () => expect(formatMoney('5000', 'USD')).toBe('$0.01'));
  test('a negative amount keeps its sign in front', () => expect(formatMoney('-1500000', 'USD')).toBe('−$1.50'));
  test('mixed currencies show no symbol', () => expect(formatMoney('1500000', null)).toBe('1.50'));
  test('sums do not lose the last micro of a large amount', () =>
    expect(sumMicros(['9007199254740993', '1', null])).toBe(9007199254740994n));
});

describe('days', () => {
  test('a day of another year shows it', () => expect(formatDay('2025-01-01', now)).toBe('Jan 1, 2025'));
  test('a near day shows its weekday', () => expect(formatNearDay('2026-11-17', now)).toBe('Tue, Nov 17'));
  test('a far day does not', () => expect(formatNearDay('2026-10-01', now)).toBe('Oct 1'));
  test('a range within a month names it once', () => expect(formatDayRange('2026-11-13', '2026-11-20', now)).toBe('Nov 13 – 20'));
  test('a range across months names both', () => expect(formatDayRange('2026-10-29', '2026-11-02', now)).toBe('Oct 29 – Nov 2'));
  test('a range of one day is that day', () => expect(formatDayRange('2026-11-18', '2026-11-18', now)).toBe('Nov 18'));
  test('headings say today and yesterday', () => {
    expect(formatDayHeading('2026-11-20', now)).toBe('Today, Fri Nov 20');
    expect(formatDayHeading('2026-11-19', now)).toBe('Yesterday, Thu Nov 19');
    expect(formatDayHeading('2026-11-17', now)).toBe('Tue Nov 17');
  });
  test('adding days crosses a leap day', () => expect(addDays('2028-02-28', 2)).toBe('2028-03-01'));
  test('a moment carries day and time', () => expect(formatMoment('2026-11-17T14:02:00Z', now)).toBe('Tue, Nov 17, 14:02'));
});

describe('relative time', () => {
  test.each([
    ['2026-11-20T09:13:40Z', 'just now'],
    ['2026-11-20T09:00:00Z', '14 min ago'],
    ['2026-11-20T07:00:00Z', '2 h ago'],
    ['2026-11-19T22:00:00Z', '11 h ago'],
    ['2026-11-19T08:00:00Z', 'yesterday'],
    ['2026-11-17T08:00:00Z', '3 days ago'],
    ['2026-10-02T08:00:00Z', 'Oct 2'],
  ])('%s was %s', (at, expected) => expect(formatPast(at, now)).toBe(expected));
  test.each([
    ['2026-11-20T09:13:00Z', 'now'],
    ['2026-11-20T09:52:00Z', 'in 38 min'],
    ['2026-11-20T14:20:00Z', 'in 5 h'],
    ['2026-11-21T05:00:00Z', 'Tomorrow 05:00'],
    ['2026-11-30T05:00:00Z', 'Nov 30, 05:00'],
  ])('%s comes %s', (at, expected) => expect(formatFuture(at, now)).toBe(expected));
  test('the age of a day counts calendar days', () => {
    expect(formatDayAge('2026-11-20', now)).toBe('today');
    expect(formatDayAge('2026-10-01', now)).toBe('50 days ago');
  });
});

describe('durations', () => {
  test.each([
    [180, '180 ms'],
    [9_000, '9 s'],
    [372_000, '6 min 12 s'],
    [3_960_000, '1 h 06 min'],
  ])('%d ms reads %s', (durationMs, expected) => expect(formatDuration(durationMs)).toBe(expected));
  test('nothing done yet tells nothing about the time left', () => expect(formatTimeLeft(10_000, 0, 81)).toBeNull());
  test('the time left follows the pace so far', () => expect(formatTimeLeft(240_000, 58, 81)).toBe('About 2 min left'));
  test('estimates of hours show the minutes', () => expect(formatMinutes(330)).toBe('5 h 30 min'));
});

describe('counts', () => {
  test('an unknown count is a dash', () => expect(formatCount(null)).toBe('—'));
  test('whole counts carry commas', () => expect(formatCount(3702118)).toBe('3,702,118'));
  test('estimates are short', () => expect([formatEstimate(83_812_306), formatEstimate(6201)]).toEqual(['83.8 M', '6,201']));
  test('axes are shorter still', () =>
    expect([formatAxis(165_000), formatAxis(2_500_000), formatAxis(0)]).toEqual(['165k', '2.5M', '0']));
  test('one is singular', () => expect([plural(1, 'account'), plural(9, 'account')]).toEqual(['1 account', '9 accounts']));
  test('axis ticks start at zero and reach the highest value', () => {
    const ticks = axisTicks(158_000);
    expect(ticks[0]).toBe(0);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(158_000);
    expect(axisTicks(0)).toEqual([0, 1]);
  });
});

test('bytes are told in the unit that needs the fewest digits', () => {
  expect([null, 0, 812, 1_400_000, 25_000_000_000].map(formatBytes)).toEqual(['—', '0 B', '812 B', '1.4 MB', '25 GB']);
});
