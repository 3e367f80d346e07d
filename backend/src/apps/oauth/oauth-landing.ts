import type { ProviderName } from '../../connectors/kit/contract.js';
import { failureLandingOf, landingOf, platformProviders } from '../../connectors/registry.js';
import type { Env } from '../../core/config/env.js';
import type { StateClaims } from './oauth-state.js';

/** Registered at each platform character by character, so it cannot contain an organization. The signed state contains it. */
export const redirectUri = (env: Env, provider: ProviderName): string => `${env.PUBLIC_URL}/api/v1/oauth/callback/${provider}`;

/** The holder of a shared link has no account, so the page of the link continues. */
const SHARED_LANDING = '/reconnect/result';

/** Landing pages of users who connect an app (below their organization) or reconnect one (fixed, product-spec §2). */
export function landingPath(
  provider: ProviderName,
  claims: Pick<StateClaims, 'organizationId' | 'isReconnect' | 'shareLinkId'>,
): string | null {
  const { organizationId, isReconnect, shareLinkId } = claims;
  const landing = landingOf(provider, organizationId);
  if (!landing) return null;
  if (shareLinkId) return SHARED_LANDING;
  return isReconnect ? landing.reconnect : landing.connect;
}

/** Landing page for a state that is unreadable, forged or expired. It shows the error to the signed-in user. */
export const fallbackLanding = (provider: ProviderName): string => failureLandingOf(provider) ?? '/organizations';

export const isSource = (provider: ProviderName): boolean => platformProviders.all.includes(provider);
