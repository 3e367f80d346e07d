import type { GoogleOAuthSettings } from '../connectors/catalog.js';
import type { Env } from '../platform/env.js';

export const googleOAuthSettings = (env: Env): GoogleOAuthSettings => ({
  clientId: env.GOOGLE_CLIENT_ID,
  clientSecret: env.GOOGLE_CLIENT_SECRET,
  authorizeUrl: env.GOOGLE_OAUTH_AUTHORIZE_URL,
  tokenUrl: env.GOOGLE_OAUTH_TOKEN_URL,
  revokeUrl: env.GOOGLE_OAUTH_REVOKE_URL,
  now: () => new Date(),
});

/** Registered at Google letter by letter, so it cannot hold an organization: that travels in the signed state. */
export const googleRedirectUri = (env: Env): string => `${env.PUBLIC_URL}/api/v1/oauth/callback/google_ads`;
