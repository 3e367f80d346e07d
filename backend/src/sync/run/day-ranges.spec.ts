import { expect, it } from 'vitest';
import { addDays, listDays } from '../../connectors/kit/days.js';
import { ranges } from './plan-slices.js';
import { readDayRanges } from './day-ranges.js';

it('contains the days of its ranges, without the day after each of them', () => {
  const days = readDayRanges('{[2026-01-01,2026-01-04),[2026-01-09,2026-01-10)}');
  expect(listDays('2025-12-31', '2026-01-11').filter((day) => days.has(day))).toEqual([
    '2026-01-01',
    '2026-01-02',
    '2026-01-03',
    '2026-01-09',
  ]);
});

it.each([null, '{}'])('contains no day for %j', (text) => {
  expect(readDayRanges(text).has('2026-01-01')).toBe(false);
});

it('contains exactly the days of any set', () => {
  const all = listDays('2026-01-01', '2026-03-01');
  for (let step = 1; step < 40; step++) {
    const chosen = new Set(all.filter((_day, place) => (place * place + step) % 7 < 4));
    const text = ranges([...chosen]).map(({ from, to }) => `[${from},${addDays(to, 1)})`);
    const days = readDayRanges(`{${text.join(',')}}`);
    expect(all.filter((day) => days.has(day))).toEqual([...chosen]);
  }
});
