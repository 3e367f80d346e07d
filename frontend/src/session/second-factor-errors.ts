import { identityCode, identityErrorText } from './identity-errors';

/** Texts per provider code, loaded with the pages of two-step sign-in alone. */
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

/** What went wrong with a second factor, in words. */
export const secondFactorErrorText = (error: unknown): string => TEXTS[identityCode(error) ?? ''] ?? identityErrorText(error);

/** Only a new sign-in helps. */
export const needsNewSignIn = (error: unknown): boolean =>
  ['requires-recent-login', 'user-token-expired', 'id-token-expired'].includes(identityCode(error) ?? '');
