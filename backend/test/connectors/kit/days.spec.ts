import { expect, it } from 'vitest';
import { addDays, chunkDays, countDays, dayInTimeZone, isDay, listDays } from '../../../src/connectors/kit/days.js';

it('returns tomorrow for Tokyo and yesterday for Honolulu', () => {
  const moment = new Date('2026-03-01T20:00:00Z');
  expect([dayInTimeZone(moment, 'Asia/Tokyo'), dayInTimeZone(moment, 'UTC')]).toEqual(['2026-03-02', '2026-03-01']);
  expect(dayInTimeZone(new Date('2026-03-01T05:00:00Z'), 'Pacific/Honolulu')).toBe('2026-02-28');
});

it('changes the day at midnight, also with an offset of 45 minutes', () => {
  const midnight = Date.parse('2026-03-01T18:15:00Z');
  const days = [-900_000, -1, 0, 899_999].map((ms) => dayInTimeZone(new Date(midnight + ms), 'Asia/Kathmandu'));
  expect(days).toEqual(['2026-03-01', '2026-03-01', '2026-03-02', '2026-03-02']);
  expect(dayInTimeZone(new Date(midnight - 1), 'Asia/Kathmandu')).toBe('2026-03-01');
});

it('may keep a day for a quarter of an hour, because all offsets are multiples of it', () => {
  const months = Array.from({ length: (2031 - 2012) * 12 }, (_, month) => new Date(Date.UTC(2012, month, 15)));
  const others = Intl.supportedValuesOf('timeZone').filter((timeZone) => {
    const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    return months.some((month) => !/GMT([+-]\d\d:(00|15|30|45))?$/.test(format.format(month)));
  });
  expect(others).toEqual([]);
});

it('counts across months, leap days and daylight saving changes', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(countDays('2026-03-28', '2026-03-30')).toBe(3);
  expect(listDays('2026-12-31', '2027-01-01')).toEqual(['2026-12-31', '2027-01-01']);
  expect(listDays('2026-01-02', '2026-01-01')).toEqual([]);
});

it('splits a range into parts without overlap', () => {
  expect(chunkDays('2026-01-01', '2026-01-07', 3)).toEqual([
    { from: '2026-01-01', to: '2026-01-03' },
    { from: '2026-01-04', to: '2026-01-06' },
    { from: '2026-01-07', to: '2026-01-07' },
  ]);
});

it.each(['2026-02-30', '2026-1-1', '20260101', '2026-01-01T00:00:00Z', ''])('rejects %j as a day', (text) => {
  expect(isDay(text)).toBe(false);
});
