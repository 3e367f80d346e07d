import { providerWords, signInName } from '~/domain/accounts/providers';

export interface Ending {
  title: string;
  text: string;
  /** Label of the way on: signing in once more. */
  again: string;
  tone: 'warn' | 'danger';
}

type Describe = (platform: string, provider: string, said: string) => Ending;

/** Every way a sign-in can end without access, and the way out of each. */
const endings: Record<string, Describe> = {
  'oauth.denied': (platform, _, said) => ({
    title: 'Access was not granted',
    text: said || `${platform}’s page was left without agreeing. Nothing was stored.`,
    again: `Ask ${platform} again`,
    tone: 'warn',
  }),
  'oauth.missing_scope': (platform, provider, said) => ({
    title: 'One permission is missing',
    text: said || `A box was not ticked on ${platform}’s page. ${provider} cannot be read without it.`,
    again: 'Sign in again and tick the box',
    tone: 'warn',
  }),
  'oauth.no_accounts': (platform, provider) => ({
    title: `This ${platform} user has no ad accounts`,
    text: `Sign in with the user that opens ${provider}, or have an administrator of the ad account invite this one.`,
    again: 'Sign in as somebody else',
    tone: 'warn',
  }),
  'oauth.state_invalid': () => ({
    title: 'This answer belongs to no sign-in of yours',
    text: 'It was used already, or began in another browser, account or organization. Nothing was stored.',
    again: 'Start again',
    tone: 'danger',
  }),
  'oauth.state_expired': (platform) => ({
    title: 'The sign-in took too long',
    text: `An answer of ${platform} is good for ten minutes, and once. Nothing was stored.`,
    again: 'Start again',
    tone: 'warn',
  }),
  'oauth.other_user': (platform, _, said) => ({
    title: `Another ${platform} user signed in`,
    text: said || 'The app belongs to a different user. Nothing was changed.',
    again: 'Sign in as the same user',
    tone: 'warn',
  }),
  'oauth.not_under_way': (platform) => ({
    title: 'No sign-in is under way',
    text: `${platform}’s window was closed before it answered, or this address was opened by hand. Nothing was stored.`,
    again: `Sign in with ${platform}`,
    tone: 'warn',
  }),
};

/** The ending behind an error's code; null for anything that is no ending of a sign-in. */
export const endingOf = (code: string, provider: string, said: string): Ending | null =>
  endings[code]?.(signInName(provider), providerWords(provider).name, said) ?? null;
