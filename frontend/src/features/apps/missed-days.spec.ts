import { expect, test } from 'vitest';
import { missedDays, describeMissedDays, maxMissedDays, missingSince } from './missed-days';
import type { MissedDaysFacts } from './missed-days';

const NOW = new Date('2026-11-20T10:00:00Z');
const facts = (completeThrough: string | null, given: Partial<MissedDaysFacts> = {}): MissedDaysFacts => ({
  completeThrough,
  historyFrom: '2026-11-01',
  desired: 'active',
  ...given,
});

test('reports no missed days when data is complete through yesterday', () => {
  expect(missingSince(facts('2026-11-19'), NOW)).toBeNull();
  expect(missedDays(facts('2026-11-19'), NOW)).toBe(0);
  expect(missedDays(facts('2026-11-20'), NOW)).toBe(0);
});

test('counts missed days from the first missing day to yesterday', () => {
  expect(missingSince(facts('2026-11-16'), NOW)).toBe('2026-11-17');
  expect(missedDays(facts('2026-11-16'), NOW)).toBe(3);
});

test('counts from the start date when no data was loaded', () => {
  expect(missingSince(facts(null), NOW)).toBe('2026-11-01');
  expect(missedDays(facts(null), NOW)).toBe(19);
});

test('ignores paused connections', () => {
  const paused = facts('2026-11-01', { desired: 'paused' });
  expect(maxMissedDays([paused, facts('2026-11-17')], NOW)).toBe(2);
  expect(describeMissedDays([paused], NOW)).toBe('No connections affected');
});

test('summarizes the affected connections', () => {
  expect(describeMissedDays([facts('2026-11-16')], NOW)).toBe('1 connection, 3 days');
  expect(describeMissedDays([facts('2026-11-16'), facts('2026-11-18')], NOW)).toBe('2 connections, up to 3 days');
});

test('does not count connections without missed days', () => {
  expect(describeMissedDays([facts('2026-11-19')], NOW)).toBe('No missed days');
  expect(describeMissedDays([facts('2026-11-19'), facts('2026-11-18')], NOW)).toBe('1 connection, 1 day');
});
