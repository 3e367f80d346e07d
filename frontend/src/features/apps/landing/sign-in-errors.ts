import { providerWords, signInName } from '~/domain/accounts/providers';

export interface SignInErrorDescription {
  title: string;
  text: string;
  /** Label of the button that starts a new sign-in. */
  again: string;
  tone: 'warn' | 'danger';
}

type Describe = (platform: string, provider: string, message: string) => SignInErrorDescription;

/** Sign-in errors by code, each with its cause and the action to take. */
const descriptions: Record<string, Describe> = {
  'oauth.denied': (platform, _, message) => ({
    title: 'Access was not granted',
    text: message || `Consent was not given on ${platform}’s page. Nothing was stored.`,
    again: `Sign in with ${platform} again`,
    tone: 'warn',
  }),
  'oauth.missing_scope': (platform, provider, message) => ({
    title: 'One permission is missing',
    text: message || `A permission was not selected on ${platform}’s page. ${provider} cannot be read without it.`,
    again: 'Sign in again and select it',
    tone: 'warn',
  }),
  'oauth.no_accounts': (platform, provider) => ({
    title: `This ${platform} user has no ad accounts`,
    text: `Sign in with a user who has access to ${provider}, or ask an administrator of the ad account to invite this user.`,
    again: 'Sign in as another user',
    tone: 'warn',
  }),
  'oauth.state_invalid': () => ({
    title: 'This sign-in is not valid',
    text: 'It was already used, or it was started in another browser, account or organization. Start a new sign-in.',
    again: 'Start again',
    tone: 'danger',
  }),
  'oauth.state_expired': () => ({
    title: 'This sign-in has expired',
    text: 'A sign-in is valid for ten minutes and can be used once. Start a new sign-in.',
    again: 'Start again',
    tone: 'warn',
  }),
  'oauth.other_user': (platform, _, message) => ({
    title: `Another ${platform} user signed in`,
    text: message || 'The app belongs to a different user. No changes were made.',
    again: 'Sign in as the same user',
    tone: 'warn',
  }),
  'oauth.not_started': (platform) => ({
    title: 'Nothing to finish here',
    text: `No sign-in is in progress. Sign in with ${platform} to connect ad accounts.`,
    again: `Sign in with ${platform}`,
    tone: 'warn',
  }),
};

/** Description of a sign-in error code, or null for other errors. */
export const describeSignInError = (code: string, provider: string, message: string): SignInErrorDescription | null =>
  descriptions[code]?.(signInName(provider), providerWords(provider).name, message) ?? null;
