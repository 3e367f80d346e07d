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

  it('removes the least recently used entries when they have too many characters', () => {
    const cache = new EntryCache(() => NOON);
    const million = 'x'.repeat(1_000_000);
    const has = (id: string) => cache.get({ id, revision: '1' }) !== undefined;
    for (let n = 0; n < 8; n++) cache.set({ id: String(n), revision: '1' }, million, NOON);
    // Replaced: it counts once.
    cache.set({ id: '7', revision: '1' }, million, NOON);
    expect(has('0')).toBe(true);
    cache.set({ id: '8', revision: '1' }, million + million, NOON);
    expect(['0', '1', '2', '3', '7', '8'].map(has)).toEqual([true, false, false, true, true, true]);
  });
});
