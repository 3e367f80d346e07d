import { expect, test } from 'vitest';
import { expiryOf, LIFETIMES } from './lifetimes';

const now = new Date('2026-11-20T10:00:00Z');

test('every lifetime but "Never" ends', () => {
  expect(LIFETIMES.map(({ value }) => expiryOf(value, now))).toEqual([
    '2026-12-20T10:00:00.000Z',
    '2027-02-18T10:00:00.000Z',
    '2027-11-20T10:00:00.000Z',
    undefined,
  ]);
});
