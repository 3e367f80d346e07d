import { expect, test } from 'vitest';
import { summaryOfRows } from './summary-of-rows';

const now = new Date('2026-11-20T12:00:00Z');

test('the drawing in a sentence', () => {
  const days = [
    { date: '2026-11-18', rows: 1_200 },
    { date: '2026-11-19', rows: 3_400 },
    { date: '2026-11-20', rows: 0 },
  ];
  expect(summaryOfRows(days, now)).toBe('4,600 rows loaded from Nov 18 to Nov 20; the most on Nov 19, 3,400.');
  expect(summaryOfRows([], now)).toBe('No day has been loaded yet.');
});
