import { expect, test } from 'vitest';
import { daysWaiting, describeWaiting, mostDaysWaiting, waitsSince } from './waiting';
import type { WaitingFacts } from './waiting';

const NOW = new Date('2026-11-20T10:00:00Z');
const waits = (completeThrough: string | null, given: Partial<WaitingFacts> = {}): WaitingFacts => ({
  completeThrough,
  historyFrom: '2026-11-01',
  desired: 'active',
  ...given,
});

test('reports no missed days when data is complete through yesterday', () => {
  expect(waitsSince(waits('2026-11-19'), NOW)).toBeNull();
  expect(daysWaiting(waits('2026-11-19'), NOW)).toBe(0);
  expect(daysWaiting(waits('2026-11-20'), NOW)).toBe(0);
});

test('counts missed days from the first missing day to yesterday', () => {
  expect(waitsSince(waits('2026-11-16'), NOW)).toBe('2026-11-17');
  expect(daysWaiting(waits('2026-11-16'), NOW)).toBe(3);
});

test('counts from the start date when no data was loaded', () => {
  expect(waitsSince(waits(null), NOW)).toBe('2026-11-01');
  expect(daysWaiting(waits(null), NOW)).toBe(19);
});

test('ignores paused connections', () => {
  const paused = waits('2026-11-01', { desired: 'paused' });
  expect(mostDaysWaiting([paused, waits('2026-11-17')], NOW)).toBe(2);
  expect(describeWaiting([paused], NOW)).toBe('No connections affected');
});

test('summarizes the affected connections', () => {
  expect(describeWaiting([waits('2026-11-16')], NOW)).toBe('1 connection, 3 days');
  expect(describeWaiting([waits('2026-11-16'), waits('2026-11-18')], NOW)).toBe('2 connections, up to 3 days');
});

test('does not count connections without missed days', () => {
  expect(describeWaiting([waits('2026-11-19')], NOW)).toBe('No missed days');
  expect(describeWaiting([waits('2026-11-19'), waits('2026-11-18')], NOW)).toBe('1 connection, 1 day');
});
