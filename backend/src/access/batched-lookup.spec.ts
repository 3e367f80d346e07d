import { describe, expect, it, vi } from 'vitest';
import { BatchedLookup } from './batched-lookup.js';

interface Call {
  keys: string[];
  answer(found: Record<string, string>): void;
  fail(error: Error): void;
}

/** A lookup whose calls end when the test answers them. */
function aLookup({ maxDelayMs = 60_000 } = {}) {
  const calls: Call[] = [];
  const lookup = new BatchedLookup<string, string>(
    (key) => key.toLowerCase(),
    (keys) =>
      new Promise((resolve, reject) =>
        calls.push({ keys, answer: (found) => resolve(new Map(Object.entries(found))), fail: reject }),
      ),
    maxDelayMs,
  );
  return { lookup, calls };
}

/** Waits until a lookup has started, and returns it. */
const started = (calls: Call[], index: number): Promise<Call> =>
  vi.waitFor(() => {
    const call = calls[index];
    if (!call) throw new Error(`lookup ${index + 1} has not started`);
    return call;
  });

describe('a batched lookup', () => {
  it('fails every request of its batch, and not the next batch', async () => {
    const { lookup, calls } = aLookup();
    const results = Promise.allSettled([lookup.find('a'), lookup.find('b')]);
    const first = await started(calls, 0);
    const later = lookup.find('c');
    first.fail(new Error('connection lost'));
    expect(await results).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    (await started(calls, 1)).answer({ c: 'C' });
    expect(await later).toBe('C');
  });

  it('returns null for a key that was not found', async () => {
    const { lookup, calls } = aLookup();
    const result = lookup.find('unknown');
    (await started(calls, 0)).answer({});
    expect(await result).toBeNull();
  });

  it('never answers a request with a lookup that started before it', async () => {
    const { lookup, calls } = aLookup();
    const before = lookup.find('a');
    const first = await started(calls, 0);
    const during = lookup.find('a');
    first.answer({ a: 'old' });
    expect(await before).toBe('old');
    (await started(calls, 1)).answer({ a: 'new' });
    expect(await during).toBe('new');
  });

  it('looks up all keys requested during a lookup with one call, each once', async () => {
    const { lookup, calls } = aLookup();
    const alone = lookup.find('a');
    const first = await started(calls, 0);
    const others = [lookup.find('b'), lookup.find('c'), lookup.find('B')];
    first.answer({ a: 'A' });
    expect(await alone).toBe('A');
    (await started(calls, 1)).answer({ b: 'B', c: 'C' });
    expect(await Promise.all(others)).toEqual(['B', 'C', 'B']);
    expect(calls.map(({ keys }) => keys.map((key) => key.toLowerCase()))).toEqual([['a'], ['b', 'c']]);
  });

  it('does not wait for a lookup that takes too long', async () => {
    const { lookup, calls } = aLookup({ maxDelayMs: 1 });
    const stuck = lookup.find('a');
    const first = await started(calls, 0);
    const other = lookup.find('b');
    (await started(calls, 1)).answer({ b: 'B' });
    expect(await other).toBe('B');
    first.answer({ a: 'A' });
    expect(await stuck).toBe('A');
  });
});
