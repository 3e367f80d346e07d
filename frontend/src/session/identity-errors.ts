import { isRecord } from '~/lib/is-record';

/** The messages for the provider's error codes. The specification fixes the first three and the fallback. */
const TEXTS: Record<string, string> = {
  'weak-password': 'Password should be at least 6 characters long.',
  'email-already-in-use': 'This email is already in use. Please try a different email or log in.',
  'wrong-password': 'The password is invalid or the user does not have a password.',
  'email-already-exists': 'This email is already in use. Please try a different email or log in.',
  'id-token-expired': 'Your sign-in has expired. Sign in again.',
  'user-token-expired': 'Your sign-in has expired. Sign in again.',
  'invalid-credential': 'The email or the password is wrong.',
  'invalid-login-credentials': 'The email or the password is wrong.',
  'invalid-email': 'Enter a valid email address.',
  'missing-email': 'Enter your email address.',
  'missing-password': 'Enter your password.',
  'invalid-password': 'Enter a password with at least 6 characters.',
  'invalid-phone-number': 'Enter a phone number with its country code.',
  'too-many-requests': 'Too many attempts. Wait a few minutes, then try again, or reset your password.',
  'user-not-found': 'There is no account with this email.',
  'user-disabled': 'This account is disabled. Ask your administrator.',
  'account-exists-with-different-credential': 'This email uses another sign-in method. Use your email and password.',
  'network-request-failed': 'The sign-in service could not be reached. Check your connection, then try again.',
  'internal-error': 'The sign-in service had a problem. Try again in a moment.',
  'operation-not-allowed': 'This is not enabled on this instance. Ask its operator.',
  'popup-blocked': 'Your browser blocked the Google window',
  'popup-closed-by-user': 'The Google window was closed before the sign-in finished',
  'cancelled-popup-request': 'Another Google window was opened',
  'unauthorized-domain': 'Google sign-in is not set up for this address',
};

/** `auth/popup-blocked` → `popup-blocked`; null for other errors. */
export function identityCode(error: unknown): string | null {
  if (!isRecord(error) && !(error instanceof Error)) return null;
  const code: unknown = (error as { code?: unknown }).code;
  return typeof code === 'string' && code.startsWith('auth/') ? code.slice('auth/'.length) : null;
}

/** The first factor was correct; a code of an authenticator app is required. */
export const needsCode = (error: unknown): boolean => identityCode(error) === 'multi-factor-auth-required';

/** The message of an error. An unknown code is shown as its words. */
export function identityErrorText(error: unknown): string {
  const code = identityCode(error);
  if (code !== null) return TEXTS[code] ?? code.replaceAll('-', ' ');
  return error instanceof Error && error.message ? error.message : 'An unexpected error occurred';
}

export interface PopupFailure {
  title: string;
  wayOut: string;
  tone: 'warn' | 'danger';
}

/** Why the sign-in in the Google window failed, and what to do. */
export function popupFailure(error: unknown, host: string): PopupFailure {
  const title = identityErrorText(error);
  switch (identityCode(error)) {
    case 'popup-blocked':
      return { title, wayOut: `Allow pop-ups for ${host} in the address bar, then try again.`, tone: 'warn' };
    case 'popup-closed-by-user':
      return { title, wayOut: 'Nothing was changed. Try again, or use your email and password.', tone: 'warn' };
    case 'cancelled-popup-request':
      return { title, wayOut: 'Finish the sign-in in the newest window, or try again.', tone: 'warn' };
    case 'unauthorized-domain':
      return {
        title,
        wayOut: `Ask your administrator to authorize ${host}. Until then, use your email and password.`,
        tone: 'danger',
      };
    case 'network-request-failed':
      return { title: 'Google could not be reached', wayOut: 'Check your connection, then try again.', tone: 'danger' };
    default:
      return { title: 'Google sign-in failed', wayOut: title, tone: 'danger' };
  }
}
