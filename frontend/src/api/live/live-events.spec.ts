import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onAccessEnded } from '~/api/http/client';
import { followEvents } from './live-events';

const MINUTE_MS = 60_000;
const fetched = vi.fn<typeof fetch>();
const rejected = vi.fn();
let controller: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetched);
  controller = new AbortController();
});
afterEach(() => {
  controller.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const follow = () =>
  void followEvents('/events', controller.signal, {
    onOpen: () => undefined,
    onClose: () => undefined,
    onRejected: rejected,
    onEvent: () => undefined,
  });
const answers = (status: number, headers: Record<string, string> = {}) =>
  fetched.mockImplementation(() => Promise.resolve(new Response(null, { status, headers })));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test.each([
  [429, 'too many streams'],
  [404, 'no longer a member'],
  [403, 'a role too low'],
])('after a %i (%s), reloads the data and retries once a minute', async (status) => {
  answers(status);
  follow();
  await pass(MINUTE_MS - 1);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(rejected).toHaveBeenCalledTimes(1);
  await pass(10 * MINUTE_MS);
  expect(fetched).toHaveBeenCalledTimes(11);
});

test('signs out when the access has ended', async () => {
  const ended = vi.fn();
  const unsubscribe = onAccessEnded(ended);
  const body = JSON.stringify({ code: 'auth.disabled', detail: 'Your account is disabled.' });
  fetched.mockImplementation(() => Promise.resolve(new Response(body, { status: 401 })));
  follow();
  await pass(1);
  unsubscribe();
  expect(ended).toHaveBeenCalledWith('Your account is disabled.');
});

test('waits for a longer Retry-After', async () => {
  answers(429, { 'retry-after': '180' });
  follow();
  await pass(2.9 * MINUTE_MS);
  expect(fetched).toHaveBeenCalledTimes(1);
  await pass(0.2 * MINUTE_MS);
  expect(fetched).toHaveBeenCalledTimes(2);
});

test('reconnects a broken stream after 1 s, then more slowly', async () => {
  fetched.mockRejectedValue(new TypeError('network'));
  follow();
  await pass(999);
  expect(fetched).toHaveBeenCalledTimes(1);
  await pass(2);
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(rejected).not.toHaveBeenCalled();
});
