import { identityCode, identityErrorText } from '~/session/identity-errors';

/** The messages for Firebase's error codes. Loaded only with the pages of two-step sign-in. */
const TEXTS: Record<string, string> = {
  'invalid-verification-code': 'The code is wrong. Enter the newest code of your authenticator app.',
  'code-expired': 'This step has expired. Start again.',
  'invalid-multi-factor-session': 'This step has expired. Start again.',
  'multi-factor-info-not-found': 'This second factor was removed. Sign in again.',
  'second-factor-already-in-use': 'This authenticator app is already set up. Use another one.',
  'maximum-second-factor-count-exceeded': 'This account has the maximum number of second factors. Remove one first.',
  'unsupported-first-factor': 'Two-step sign-in does not work with this sign-in method. Use your email and password, or Google.',
  'requires-recent-login': 'This requires a recent sign-in. Sign in again, then retry.',
  'unverified-email': 'Your email address is not verified. Verify it first.',
};

/** The message for an error of a second factor. */
export const secondFactorErrorText = (error: unknown): string => TEXTS[identityCode(error) ?? ''] ?? identityErrorText(error);

/** Whether only a new sign-in resolves the error. */
export const needsNewSignIn = (error: unknown): boolean =>
  ['requires-recent-login', 'user-token-expired', 'id-token-expired'].includes(identityCode(error) ?? '');
