import { expect, test } from 'vitest';
import { NetworkProblem } from '~/api/http/problem';
import { statusOf } from './organization-context';
import { readRequestToken } from './request-token';

const failing = (code: string) => () =>
  Promise.reject<string>(Object.assign(new Error(`Firebase: Error (auth/${code}).`), { code: `auth/${code}` }));

test('a token that cannot be renewed without a network counts as a network problem, not as a failed organization', async () => {
  const error: unknown = await readRequestToken(failing('network-request-failed')).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NetworkProblem);
  expect(error).toMatchObject({ message: 'The sign-in service could not be reached. Check your connection, then try again.' });
  expect(statusOf(undefined, error, false)).toBe('unreachable');
});

test('another failure of the sign-in service is described in words', async () => {
  await expect(readRequestToken(failing('user-token-expired'))).rejects.toThrow('Your sign-in has expired. Sign in again.');
});

test('the token of a signed-in user is returned, and none without a session', async () => {
  expect(await readRequestToken(() => Promise.resolve('token'))).toBe('token');
  expect(await readRequestToken(() => Promise.resolve(null))).toBeNull();
});
