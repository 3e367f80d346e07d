import { expect, test } from 'vitest';
import { summaryOfRows } from './summary-of-rows';

const now = new Date('2026-11-20T12:00:00Z');

test('summarizes the chart in one sentence', () => {
  const days = [
    { date: '2026-11-18', rows: 1_200 },
    { date: '2026-11-19', rows: 3_400 },
    { date: '2026-11-20', rows: 0 },
  ];
  expect(summaryOfRows(days, now)).toBe('4,600 rows loaded from Nov 18 to Nov 20. Maximum: 3,400 rows on Nov 19.');
  expect(summaryOfRows([], now)).toBe('No data has been loaded yet.');
});
