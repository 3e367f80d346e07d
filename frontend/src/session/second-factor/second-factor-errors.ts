import { identityCode, identityErrorText } from '~/session/identity-errors';

/** Texts per error code of Firebase; loaded only with the pages of two-step sign-in. */
const TEXTS: Record<string, string> = {
  'invalid-verification-code': 'The code is not right. Enter the newest code of your authenticator app.',
  'code-expired': 'This step took too long. Start again.',
  'invalid-multi-factor-session': 'This step took too long. Start again.',
  'multi-factor-info-not-found': 'This second factor was removed. Sign in again.',
  'second-factor-already-in-use': 'This authenticator app is set up already.',
  'maximum-second-factor-count-exceeded': 'This account has as many second factors as it can have. Remove one first.',
  'unsupported-first-factor': 'Two-step sign-in does not work with this way to sign in. Use your e-mail and password, or Google.',
  'requires-recent-login': 'This needs a fresh sign-in. Sign in again, then repeat it.',
  'unverified-email': 'Your e-mail address is not verified. Verify it first.',
};

/** The message for an error of a second factor. */
export const secondFactorErrorText = (error: unknown): string => TEXTS[identityCode(error) ?? ''] ?? identityErrorText(error);

/** Whether only a new sign-in resolves the error. */
export const needsNewSignIn = (error: unknown): boolean =>
  ['requires-recent-login', 'user-token-expired', 'id-token-expired'].includes(identityCode(error) ?? '');
