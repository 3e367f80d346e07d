import type { Provider } from '../../generated/prisma/client.js';
import type { Env } from '../../core/config/env.js';
import type { StateClaims } from './oauth-state.js';

/** Registered at each platform letter by letter, so it cannot hold an organization: that travels in the signed state. */
export const redirectUri = (env: Env, provider: Provider): string => `${env.PUBLIC_URL}/api/v1/oauth/callback/${provider}`;

/** Where people land who connect an app (below their organization), and who reconnect one (fixed, product-spec §2). */
const landings: Partial<Record<Provider, { connect: (organizationId: string) => string; reconnect: string }>> = {
  google_ads: { connect: (id) => `/${id}/GoogleAds`, reconnect: '/googleReauth' },
  meta_ads: { connect: (id) => `/${id}/MetaAds`, reconnect: '/metaReauth' },
  microsoft_ads: { connect: (id) => `/${id}/MicrosoftAds`, reconnect: '/microsoftReauth' },
  // Google's sign-in for another of its products.
  bigquery: { connect: () => '/bigquery', reconnect: '/googleReauth' },
};

/** Whoever came by a shared link has no account here: the page of the link goes on. */
const SHARED_LANDING = '/api/v1/reconnect/result';

export function landingPath(
  provider: string,
  claims: Pick<StateClaims, 'organizationId' | 'isReconnect' | 'shareLinkId'>,
): string | null {
  const landing = landings[provider as Provider];
  if (!landing) return null;
  const { organizationId, isReconnect, shareLinkId } = claims;
  if (shareLinkId) return SHARED_LANDING;
  return isReconnect ? landing.reconnect : landing.connect(organizationId);
}

/** Where the browser goes with a state that cannot be read, forged or too old: the page that says so, of whoever is signed in. */
export const landingOfStrangers = (provider: Provider): string => landings[provider]?.reconnect ?? '/organizations';

export const isSource = (provider: Provider): boolean => ['google_ads', 'meta_ads', 'microsoft_ads'].includes(provider);
