import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dropPrefetched, prefetch, takePrefetched } from './prefetch';

let requests: number;
const key = ['connections', 'organization', { limit: 50 }];
const load = () => Promise.resolve(++requests);

beforeEach(() => {
  requests = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

describe('a request that starts before its page', () => {
  test('is used once, also with an equal key', async () => {
    prefetch(key, load);
    expect(await takePrefetched(['connections', 'organization', { limit: 50 }], load)).toBe(1);
    expect(await takePrefetched(key, load)).toBe(2);
  });

  test('is not used with another key', async () => {
    prefetch(key, load);
    expect(await takePrefetched(['connections', 'organization', { limit: 10 }], load)).toBe(2);
  });

  test('is repeated by the page after a failure', async () => {
    const fail = () => Promise.reject(new Error('The server could not be reached.'));
    prefetch(key, fail);
    expect(await takePrefetched(key, load)).toBe(1);
    prefetch(key, fail);
    await vi.advanceTimersByTimeAsync(0);
    expect(await takePrefetched(key, load)).toBe(2);
  });

  test('is not used after a sign-out', async () => {
    prefetch(key, load);
    dropPrefetched();
    expect(await takePrefetched(key, load)).toBe(2);
  });

  test('is not used by a page that is shown 10 seconds later', async () => {
    prefetch(key, load);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await takePrefetched(key, load)).toBe(2);
  });
});
