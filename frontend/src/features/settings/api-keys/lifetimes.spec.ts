import { expect, test } from 'vitest';
import { DEFAULT_LIFETIME, expiryOf, LIFETIMES } from './lifetimes';

const now = new Date('2026-11-20T10:00:00Z');

test('calculates the expiry of each lifetime', () => {
  expect(LIFETIMES.map(({ value }) => expiryOf(value, now))).toEqual([
    '2026-12-20T10:00:00.000Z',
    '2027-02-18T10:00:00.000Z',
    '2027-11-20T10:00:00.000Z',
    '2028-11-19T10:00:00.000Z',
  ]);
});

test('defaults to one year', () => {
  expect(LIFETIMES.find(({ value }) => value === DEFAULT_LIFETIME)?.label).toBe('In a year');
});
