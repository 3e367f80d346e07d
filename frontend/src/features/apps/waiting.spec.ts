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

test('what arrived up to yesterday does not wait', () => {
  expect(waitsSince(waits('2026-11-19'), NOW)).toBeNull();
  expect(daysWaiting(waits('2026-11-19'), NOW)).toBe(0);
  expect(daysWaiting(waits('2026-11-20'), NOW)).toBe(0);
});

test('days wait from the first that is missing to yesterday', () => {
  expect(waitsSince(waits('2026-11-16'), NOW)).toBe('2026-11-17');
  expect(daysWaiting(waits('2026-11-16'), NOW)).toBe(3);
});

test('what never arrived waits since its history begins', () => {
  expect(waitsSince(waits(null), NOW)).toBe('2026-11-01');
  expect(daysWaiting(waits(null), NOW)).toBe(19);
});

test('a paused connection waits for nobody', () => {
  const paused = waits('2026-11-01', { desired: 'paused' });
  expect(mostDaysWaiting([paused, waits('2026-11-17')], NOW)).toBe(2);
  expect(describeWaiting([paused], NOW)).toBe('Nothing waits for it');
});

test('how much waits is said in one line', () => {
  expect(describeWaiting([waits('2026-11-16')], NOW)).toBe('1 connection waits, 3 days');
  expect(describeWaiting([waits('2026-11-16'), waits('2026-11-18')], NOW)).toBe('2 connections wait, up to 3 days');
});

test('what misses no day is not counted among what waits', () => {
  expect(describeWaiting([waits('2026-11-19')], NOW)).toBe('Nothing is missing yet');
  expect(describeWaiting([waits('2026-11-19'), waits('2026-11-18')], NOW)).toBe('1 connection waits, 1 day');
});
