import { unstable_serialize } from 'swr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keys } from '~/api/http/keys';
import { NetworkProblem, toProblem } from '~/api/http/problem';
import { onFetchError } from './on-fetch-error';

const warn = vi.spyOn(console, 'warn');
beforeEach(() => warn.mockImplementation(() => undefined));
afterEach(() => warn.mockReset());

test('logs a failed request with its kind, status and request id, without personal data', () => {
  const problem = toProblem(500, { code: 'internal', detail: 'guest@example.com has no mailbox' }, 'request-1');
  onFetchError(problem, unstable_serialize(keys.pendingInvitations('guest@example.com')));
  const logged = { name: 'ApiProblem', status: 500, code: 'internal', requestId: 'request-1' };
  expect(warn.mock.calls).toEqual([['Loading pending-invitations failed', logged]]);
  expect(JSON.stringify(warn.mock.calls)).not.toContain('guest@example.com');
});

test('logs a request without a response', () => {
  onFetchError(new NetworkProblem('The server could not be reached.'), unstable_serialize(keys.me()));
  expect(warn.mock.calls).toEqual([['Loading me failed', { name: 'NetworkProblem' }]]);
});
