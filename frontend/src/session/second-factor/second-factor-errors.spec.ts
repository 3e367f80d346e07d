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
])('%s has a sentence of its own', (code) => expect(secondFactorErrorText(failure(code))).toMatch(/^[A-Z].*\.$/));

test('a sign-in that is too old asks for a new one, a wrong code does not', () => {
  expect(needsNewSignIn(failure('requires-recent-login'))).toBe(true);
  expect(needsNewSignIn(failure('invalid-verification-code'))).toBe(false);
});
