import { afterEach, expect, it, vi } from 'vitest';
import { deadlineOf, endOf } from './target.js';

afterEach(() => vi.restoreAllMocks());

/** How often the platform's calendar was asked. */
function lookupsOf(work: () => unknown): number {
  const prototype: { format: unknown } = Intl.DateTimeFormat.prototype;
  const format = vi.spyOn(prototype, 'format', 'get');
  work();
  const { length } = format.mock.calls;
  format.mockRestore();
  return length;
}

const target = { atTime: '09:00', timeZone: 'Europe/Berlin', daysAfter: 1 };

it('the end and the deadline of a day cost as much for many accounts as for one, if they have the same time zone', () => {
  const many = Array.from({ length: 500 }, () => 'Europe/Berlin');
  for (const compute of [endOf, (day: string, zones: string[]) => deadlineOf(target, day, zones)]) {
    const lookups = lookupsOf(() => compute('2026-11-10', ['Europe/Berlin']));
    expect(lookups).toBeGreaterThan(0);
    expect(lookupsOf(() => compute('2026-11-10', many))).toBe(lookups);
  }
});

it('a day ends when it has ended in every account, whatever their order', () => {
  const zones = ['America/Los_Angeles', 'Europe/Berlin', 'Mars/Olympus', 'Europe/Berlin'];
  for (const order of [zones, zones.toReversed()])
    expect(endOf('2026-11-10', order).toISOString()).toBe('2026-11-11T08:00:00.000Z');
  expect(endOf('2026-11-10', ['Mars/Olympus']).toISOString()).toBe('2026-11-11T00:00:00.000Z');
});
