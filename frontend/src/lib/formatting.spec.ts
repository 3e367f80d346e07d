import { describe, expect, test } from 'vitest';
import { addDays, formatDay, formatDayHeading, formatDayRange, formatMoment, formatNearDay } from './dates';
import { formatDuration, formatMinutes, formatTimeLeft } from './durations';
import { formatMoney, sumMicros } from '~/domain/billing/money';
import { formatBytes, axisTicks, formatAxis, formatCount, formatEstimate, plural } from './numbers';
import { formatDayAge, formatFuture, formatPast } from './relative-time';

const now = new Date('2026-11-20T09:14:00Z');

describe('money', () => {
  test('shows a dash for an unknown amount', () => expect(formatMoney(null, 'EUR')).toBe('—'));
  test('converts micros to cents and adds the currency symbol', () =>
    expect(formatMoney('174306420000', 'EUR')).toBe('€174,306.42'));
  test('shows as many digits as the currency has', () => {
    expect(formatMoney('477957000000', 'JPY')).toBe('¥477,957');
    expect(formatMoney('477957500000', 'JPY')).toBe('¥477,958');
    expect(formatMoney('1234567', 'KWD')).toBe('KWD\u00a01.235');
  });
  test('distinguishes currencies that share a symbol', () => {
    expect(formatMoney('1500000', 'AUD')).toBe('A$1.50');
    expect(formatMoney('1500000', 'USD')).toBe('$1.50');
  });
  test('rounds half a cent up', () => expect(formatMoney('5000', 'USD')).toBe('$0.01'));
  test('shows a minus sign before a negative amount', () => expect(formatMoney('-1500000', 'USD')).toBe('−$1.50'));
  test('shows no minus sign before an amount that rounds to zero', () => {
    expect(formatMoney('-1', 'USD')).toBe('$0.00');
    expect(formatMoney('-499999', 'JPY')).toBe('¥0');
    expect(formatMoney('-4999', null)).toBe('0.00');
    expect(formatMoney('-5000', 'USD')).toBe('−$0.01');
  });
  test('shows a dash for data without a currency, such as pushed events', () => expect(formatMoney('0', 'XXX')).toBe('—'));
  test('shows no symbol for mixed currencies', () => expect(formatMoney('1500000', null)).toBe('1.50'));
  test('sums large amounts exactly to the micro', () =>
    expect(sumMicros(['9007199254740993', '1', null])).toBe(9007199254740994n));
});

describe('days', () => {
  test('adds the year for a day of another year', () => expect(formatDay('2025-01-01', now)).toBe('Jan 1, 2025'));
  test('adds the weekday within a week of today', () => expect(formatNearDay('2026-11-17', now)).toBe('Tue, Nov 17'));
  test('omits the weekday for other days', () => expect(formatNearDay('2026-10-01', now)).toBe('Oct 1'));
  test('shows the month once for a range within a month', () =>
    expect(formatDayRange('2026-11-13', '2026-11-20', now)).toBe('Nov 13 – 20'));
  test('shows both months for a range across months', () =>
    expect(formatDayRange('2026-10-29', '2026-11-02', now)).toBe('Oct 29 – Nov 2'));
  test('shows one day for a range of one day', () => expect(formatDayRange('2026-11-18', '2026-11-18', now)).toBe('Nov 18'));
  test('marks today and yesterday in headings', () => {
    expect(formatDayHeading('2026-11-20', now)).toBe('Today, Fri Nov 20');
    expect(formatDayHeading('2026-11-19', now)).toBe('Yesterday, Thu Nov 19');
    expect(formatDayHeading('2026-11-17', now)).toBe('Tue Nov 17');
  });
  test('adds days across a leap day', () => expect(addDays('2028-02-28', 2)).toBe('2028-03-01'));
  test('formats a timestamp with day and time', () =>
    expect(formatMoment('2026-11-17T14:02:00Z', now)).toBe('Tue, Nov 17, 14:02'));
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
    ['2026-11-20T09:14:30Z', 'just now'],
    ['2026-11-20T09:52:00Z', 'in 38 min'],
    ['2026-11-23T09:14:00Z', 'Nov 23, 09:14'],
  ])('formats the time %s, which should be past, as %s', (at, expected) => expect(formatPast(at, now)).toBe(expected));
  test.each([
    ['2026-11-20T09:13:00Z', 'now'],
    ['2026-11-20T09:52:00Z', 'in 38 min'],
    ['2026-11-20T14:20:00Z', 'in 5 h'],
    ['2026-11-21T05:00:00Z', 'Tomorrow 05:00'],
    ['2026-11-30T05:00:00Z', 'Nov 30, 05:00'],
  ])('formats the future time %s as %s', (at, expected) => expect(formatFuture(at, now)).toBe(expected));
  test('counts the age of a day in calendar days', () => {
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
  ])('formats %d ms as %s', (durationMs, expected) => expect(formatDuration(durationMs)).toBe(expected));
  test('returns no remaining time without progress', () => expect(formatTimeLeft(10_000, 0, 81)).toBeNull());
  test('estimates the remaining time from the progress so far', () =>
    expect(formatTimeLeft(240_000, 58, 81)).toBe('About 2 min left'));
  test('shows hours and minutes for long estimates', () => expect(formatMinutes(330)).toBe('5 h 30 min'));
});

describe('counts', () => {
  test('shows a dash for an unknown count', () => expect(formatCount(null)).toBe('—'));
  test('adds commas to whole counts', () => expect(formatCount(3702118)).toBe('3,702,118'));
  test('shortens estimates', () => expect([formatEstimate(83_812_306), formatEstimate(6201)]).toEqual(['83.8 M', '6,201']));
  test('shortens axis labels', () =>
    expect([formatAxis(165_000), formatAxis(2_500_000), formatAxis(0)]).toEqual(['165k', '2.5M', '0']));
  test('uses the singular for one', () =>
    expect([plural(1, 'account'), plural(9, 'account')]).toEqual(['1 account', '9 accounts']));
  test('returns axis ticks from zero to at least the highest value', () => {
    const ticks = axisTicks(158_000);
    expect(ticks[0]).toBe(0);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(158_000);
    expect(axisTicks(0)).toEqual([0, 1]);
  });

  test('returns whole numbers as axis ticks of counts', () => {
    for (const highest of [1, 2, 3, 4, 5, 7, 10, 95, 480, 158_000]) {
      const ticks = axisTicks(highest, { isCount: true });
      expect(ticks.every(Number.isInteger)).toBe(true);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest);
    }
    expect(axisTicks(2, { isCount: true })).toEqual([0, 1, 2]);
  });
});

test('formats bytes in the unit with the fewest digits', () => {
  expect([null, 0, 812, 1_400_000, 25_000_000_000].map(formatBytes)).toEqual(['—', '0 B', '812 B', '1.4 MB', '25 GB']);
});
