import { expect, test } from 'vitest';
import { needsNewSignIn, secondFactorErrorText } from './second-factor-errors';

const failure = (code: string) => Object.assign(new Error('Firebase: Error.'), { code: `auth/${code}` });

test.each([
  'invalid-verification-code',
  'code-expired',
  'invalid-multi-factor-session',
  'multi-factor-info-not-found',
  'requires-recent-login',
  'unverified-email',
  'operation-not-allowed',
  'network-request-failed',
])('has a message for %s', (code) => expect(secondFactorErrorText(failure(code))).toMatch(/^[A-Z].*\.$/));

test('requires a new sign-in only when the sign-in is too old', () => {
  expect(needsNewSignIn(failure('requires-recent-login'))).toBe(true);
  expect(needsNewSignIn(failure('invalid-verification-code'))).toBe(false);
});
