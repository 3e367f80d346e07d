import { expect, test } from 'vitest';
import { daysUntil, inDays } from './days-left';

const now = new Date('2026-11-20T22:30:00Z');

test('counts calendar days', () => {
  expect(daysUntil('2026-11-21T00:10:00Z', now)).toBe(1);
  expect(daysUntil('2026-11-20T23:50:00Z', now)).toBe(0);
  expect(daysUntil('2026-11-18T09:00:00Z', now)).toBe(-2);
});

test('shows a time that passed today as today', () => {
  expect(inDays('2026-11-20T09:00:00Z', now)).toBe('today');
  expect(inDays('2026-11-21T09:00:00Z', now)).toBe('tomorrow');
  expect(inDays('2026-11-27T09:00:00Z', now)).toBe('in 7 days');
});
