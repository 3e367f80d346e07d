import { describe, expect, test } from 'vitest';
import { identityCode, identityErrorText, popupFailure } from './identity-errors';

const failure = (code: string) => Object.assign(new Error('Firebase: Error.'), { code: `auth/${code}` });

describe('identity errors in words', () => {
  test.each([
    ['weak-password', 'Password should be at least 6 characters long.'],
    ['email-already-in-use', 'This email is already in use. Please try a different email or log in.'],
    ['wrong-password', 'The password is invalid or the user does not have a password.'],
  ])('%s has its fixed text', (code, text) => expect(identityErrorText(failure(code))).toBe(text));

  test.each([
    'email-already-exists',
    'id-token-expired',
    'invalid-credential',
    'invalid-email',
    'invalid-password',
    'invalid-phone-number',
    'too-many-requests',
    'user-not-found',
  ])('%s has a sentence of its own', (code) => expect(identityErrorText(failure(code))).toMatch(/^[A-Z].*\.$/));

  test('an unmapped code is shown as its words', () =>
    expect(identityErrorText(failure('quota-exceeded'))).toBe('quota exceeded'));

  test('a thrown value that is no error has a text', () => {
    expect(identityErrorText('boom')).toBe('An unexpected error occurred');
    expect(identityErrorText(undefined)).toBe('An unexpected error occurred');
  });

  test('an error of our own keeps its message', () => expect(identityErrorText(new Error('Login failed'))).toBe('Login failed'));

  test('a code of another library is no identity code', () => expect(identityCode({ code: 'ECONNREFUSED' })).toBeNull());
});

describe('the Google window', () => {
  test.each([
    'popup-blocked',
    'popup-closed-by-user',
    'cancelled-popup-request',
    'unauthorized-domain',
    'network-request-failed',
    'new-thing',
  ])('%s names a way out', (code) => expect(popupFailure(failure(code), 'app.example.com').wayOut.length).toBeGreaterThan(8));

  test('a blocked window says for which address to allow it', () =>
    expect(popupFailure(failure('popup-blocked'), 'app.example.com').wayOut).toContain('app.example.com'));
});
