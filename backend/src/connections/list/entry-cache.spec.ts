import { describe, expect, it } from 'vitest';
import { EntryCache } from './entry-cache.js';

const NOON = Date.parse('2026-11-28T12:00:00Z');
const row = { id: 'a', revision: '1' };

/** A cache that kept an entry which was read at `readAt`, and is asked for it at `now`. */
function cachedAt(readAt: number, now: number): string | undefined {
  const cache = new EntryCache(() => now);
  cache.set(row, '{}', readAt);
  return cache.get(row);
}

describe('the cache of entries', () => {
  it('returns an entry while its revision is the same', () => {
    const cache = new EntryCache(() => NOON);
    expect(cache.get(row)).toBeUndefined();
    cache.set(row, '{}', NOON);
    expect(cache.get(row)).toBe('{}');
    expect(cache.get({ ...row, revision: '2' })).toBeUndefined();
  });

  it('keeps an entry for a minute', () => {
    expect(cachedAt(NOON, NOON + 59_999)).toBe('{}');
    expect(cachedAt(NOON, NOON + 60_000)).toBeUndefined();
  });

  it('keeps no entry beyond the end of a day in any time zone', () => {
    // Midnight in Kathmandu, UTC+5:45.
    const midnight = Date.parse('2026-11-28T18:15:00Z');
    expect(cachedAt(midnight - 10_000, midnight - 1)).toBe('{}');
    expect(cachedAt(midnight - 10_000, midnight)).toBeUndefined();
    expect(cachedAt(midnight - 1, midnight + 1)).toBeUndefined();
  });

  it('removes the least recently used entry when it is full', () => {
    const cache = new EntryCache(() => NOON);
    const rows = Array.from({ length: 2_001 }, (_, n) => ({ id: String(n), revision: '1' }));
    for (const each of rows.slice(0, 2_000)) cache.set(each, '{}', NOON);
    expect(cache.get({ id: '0', revision: '1' })).toBe('{}');
    cache.set({ id: '2000', revision: '1' }, '{}', NOON);
    expect(cache.get({ id: '0', revision: '1' })).toBe('{}');
    expect(cache.get({ id: '1', revision: '1' })).toBeUndefined();
    expect(cache.get({ id: '2000', revision: '1' })).toBe('{}');
  });
});
