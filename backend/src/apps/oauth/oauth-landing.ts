import type { Provider } from '../../generated/prisma/client.js';
import type { Env } from '../../core/config/env.js';
import type { StateClaims } from './oauth-state.js';

/** Registered at each platform character by character, so it cannot contain an organization. The signed state contains it. */
export const redirectUri = (env: Env, provider: Provider): string => `${env.PUBLIC_URL}/api/v1/oauth/callback/${provider}`;

/** Landing pages of users who connect an app (below their organization) or reconnect one (fixed, product-spec §2). */
const landings: Partial<Record<Provider, { connect: (organizationId: string) => string; reconnect: string }>> = {
  google_ads: { connect: (id) => `/${id}/GoogleAds`, reconnect: '/googleReauth' },
  meta_ads: { connect: (id) => `/${id}/MetaAds`, reconnect: '/metaReauth' },
  microsoft_ads: { connect: (id) => `/${id}/MicrosoftAds`, reconnect: '/microsoftReauth' },
  // Sign-in with Google for BigQuery.
  bigquery: { connect: () => '/bigquery', reconnect: '/googleReauth' },
};

/** The holder of a shared link has no account, so the page of the link continues. */
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

/** Landing page for a state that is unreadable, forged or expired. It shows the error to the signed-in user. */
export const fallbackLanding = (provider: Provider): string => landings[provider]?.reconnect ?? '/organizations';

export const isSource = (provider: Provider): boolean => ['google_ads', 'meta_ads', 'microsoft_ads'].includes(provider);
