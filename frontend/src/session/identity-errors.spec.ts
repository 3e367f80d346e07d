import { describe, expect, test } from 'vitest';
import { identityCode, identityErrorText, popupFailure } from './identity-errors';

const failure = (code: string) => Object.assign(new Error('Firebase: Error.'), { code: `auth/${code}` });

describe('messages of identity errors', () => {
  test.each([
    ['weak-password', 'Password should be at least 6 characters long.'],
    ['email-already-in-use', 'This email is already in use. Please try a different email or log in.'],
    ['wrong-password', 'The password is invalid or the user does not have a password.'],
  ])('has the fixed text for %s', (code, text) => expect(identityErrorText(failure(code))).toBe(text));

  test.each([
    'email-already-exists',
    'id-token-expired',
    'invalid-credential',
    'invalid-email',
    'invalid-password',
    'invalid-phone-number',
    'too-many-requests',
    'user-not-found',
  ])('has a message for %s', (code) => expect(identityErrorText(failure(code))).toMatch(/^[A-Z].*\.$/));

  test('shows the words of an unknown code', () => expect(identityErrorText(failure('quota-exceeded'))).toBe('quota exceeded'));

  test('has a message for a thrown value that is not an error', () => {
    expect(identityErrorText('boom')).toBe('An unexpected error occurred');
    expect(identityErrorText(undefined)).toBe('An unexpected error occurred');
  });

  test('keeps the message of other errors', () => expect(identityErrorText(new Error('Login failed'))).toBe('Login failed'));

  test('ignores codes of other libraries', () => expect(identityCode({ code: 'ECONNREFUSED' })).toBeNull());
});

describe('Google window', () => {
  test.each([
    'popup-blocked',
    'popup-closed-by-user',
    'cancelled-popup-request',
    'unauthorized-domain',
    'network-request-failed',
    'new-thing',
  ])('%s names an action', (code) => expect(popupFailure(failure(code), 'app.example.com').wayOut.length).toBeGreaterThan(8));

  test('names the host to allow when the pop-up was blocked', () =>
    expect(popupFailure(failure('popup-blocked'), 'app.example.com').wayOut).toContain('app.example.com'));
});
