import { expect, test } from 'vitest';
import { formatExpiry } from './expiry';

const now = new Date('2026-11-20T10:00:00Z');

test.each([
  ['2026-11-20T09:59:59Z', 'Expired Nov 20'],
  ['2026-11-03T10:00:00Z', 'Expired Nov 3'],
  ['2026-11-20T14:02:00Z', 'Expires today, 14:02'],
  ['2026-11-21T00:00:00Z', 'Expires tomorrow'],
  ['2026-11-26T10:00:00Z', 'Expires in 6 days'],
  ['2026-12-30T10:00:00Z', 'Expires Dec 30'],
  ['2027-11-20T10:00:00Z', 'Expires Nov 20, 2027'],
])('formats %s as "%s"', (at, text) => expect(formatExpiry(at, now)).toBe(text));
