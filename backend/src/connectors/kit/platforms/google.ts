import { z } from 'zod';
import { type EnvironmentValues, httpUrl } from '../environment.js';
import type { GoogleOAuthSettings } from '../oauth/google-oauth.js';

/** OAuth client at Google, for all products of Google. Unset: sign-in with Google is not offered. */
export const googleClient = {
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_OAUTH_AUTHORIZE_URL: httpUrl.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_OAUTH_TOKEN_URL: httpUrl.default('https://oauth2.googleapis.com/token'),
  GOOGLE_OAUTH_REVOKE_URL: httpUrl.default('https://oauth2.googleapis.com/revoke'),
};
export const googleClientNames = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const;

export const googleAdsApi = {
  GOOGLE_ADS_BASE_URL: httpUrl.default('https://googleads.googleapis.com'),
  /** Major version of the Google Ads API. Google supports a major version for about twelve months. */
  GOOGLE_ADS_API_VERSION: z
    .string()
    .regex(/^v\d+$/, 'must look like v26')
    .default('v26'),
};

type Client = EnvironmentValues<typeof googleClient>;

export function googleOauthSettings(
  client: EnvironmentValues<typeof googleClient, (typeof googleClientNames)[number]>,
  now: () => Date,
): GoogleOAuthSettings {
  return {
    clientId: client.GOOGLE_CLIENT_ID,
    clientSecret: client.GOOGLE_CLIENT_SECRET,
    authorizeUrl: client.GOOGLE_OAUTH_AUTHORIZE_URL,
    tokenUrl: client.GOOGLE_OAUTH_TOKEN_URL,
    revokeUrl: client.GOOGLE_OAUTH_REVOKE_URL,
    now,
  };
}

/** Null if this installation has no OAuth client at Google. */
export function findGoogleOauth(client: Client, now: () => Date): GoogleOAuthSettings | null {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = client;
  if (GOOGLE_CLIENT_ID === undefined || GOOGLE_CLIENT_SECRET === undefined) return null;
  return googleOauthSettings({ ...client, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET }, now);
}
