import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import { ReconnectNeeded } from '../kit/errors.js';
import type { OAuthFlow, Scope, TokenGrant } from '../kit/oauth/oauth.js';
import { readAnswer, sendGraphRequest } from './api.js';
import { corrupt } from './errors.js';
import { grantedPermissions } from './permissions.js';
import { debugToken, exchangeForLong, exchangeForShort } from './token-endpoint.js';
import type { MetaAdsSettings } from './settings.js';

const DAY_MS = 86_400_000;
/** Long-lived tokens are valid for 60 days and can be extended only before they expire. They are refreshed halfway. */
const REFRESH_MARGIN_MS = 30 * DAY_MS;

const scopes: Scope[] = [
  { scope: 'ads_read', reason: 'To list your ad accounts and read their reports.', isRequired: true },
  {
    scope: 'ads_management',
    reason: 'To send conversions to your datasets. Reports are read without it.',
    isRequired: false,
  },
  { scope: 'email', reason: 'To show which Facebook user the app is connected as.', isRequired: false },
];

/** Facebook sign-in. There is no refresh token: the access token itself is exchanged for a longer-lived one. */
export function metaOauth(settings: MetaAdsSettings): OAuthFlow {
  return {
    scopes,
    refreshMarginMs: REFRESH_MARGIN_MS,
    startAuthorization: ({ redirectUri, state }) =>
      Promise.resolve({ url: dialogUrl(settings, redirectUri, state), codeVerifier: '' }),
    async exchangeCode({ code, redirectUri }, signal) {
      const short = await exchangeForShort(settings, { code, redirectUri }, signal);
      const token = await exchangeForLong(settings, short, signal);
      const [grant, externalUser, grantedScopes] = await Promise.all([
        describeToken(settings, token, signal),
        readUser(settings, token, signal),
        readGrantedScopes(settings, token, signal),
      ]);
      return { ...grant, externalUser, grantedScopes };
    },
    async refresh({ accessToken }, signal) {
      return describeToken(settings, await exchangeForLong(settings, accessToken, signal), signal);
    },
    revoke: ({ accessToken }, signal) => revoke(settings, accessToken, signal),
  };
}

/** Always uses `rerequest`. Otherwise Facebook never requests a declined permission again, even in a new sign-in. */
function dialogUrl(settings: MetaAdsSettings, redirectUri: string, state: string): string {
  const query = new URLSearchParams({
    client_id: settings.appId,
    redirect_uri: redirectUri,
    state,
    response_type: 'code',
    scope: scopes.map(({ scope }) => scope).join(','),
    auth_type: 'rerequest',
  });
  return `${settings.dialogUrl}/${settings.apiVersion}/dialog/oauth?${query.toString()}`;
}

/** A token can be extended, but data access always ends 90 days after the sign-in. Zero means never. */
async function describeToken(settings: MetaAdsSettings, token: string, signal: AbortSignal): Promise<TokenGrant> {
  const {
    expires_at: tokenEnd,
    data_access_expires_at: accessEnd,
    scopes: grantedScopes,
  } = await debugToken(settings, token, signal);
  const ends = [tokenEnd, accessEnd].filter((seconds) => seconds > 0).map((seconds) => seconds * 1_000);
  return {
    accessToken: token,
    expiresAt: tokenEnd > 0 ? new Date(tokenEnd * 1_000) : new Date(settings.now().getTime() + 365 * DAY_MS),
    refreshToken: null,
    signInAgainAt: ends.length > 0 ? new Date(Math.min(...ends)) : null,
    grantedScopes,
    externalUser: null,
  };
}

const userSchema = z.object({ id: z.string().min(1), name: z.string().default(''), email: z.string().optional() });

async function readUser(settings: MetaAdsSettings, token: string, signal: AbortSignal): Promise<TokenGrant['externalUser']> {
  const user = userSchema.safeParse(await ask(settings, 'GET', 'me', token, signal, { fields: 'id,name,email' }));
  if (!user.success) throw corrupt('unexpected_user', 'Meta returned no user for the sign-in.');
  return { id: user.data.id, email: user.data.email ?? user.data.name };
}

async function readGrantedScopes(settings: MetaAdsSettings, token: string, signal: AbortSignal): Promise<string[]> {
  const granted = grantedPermissions(await ask(settings, 'GET', 'me/permissions', token, signal));
  if (!granted) throw corrupt('unexpected_permissions', 'Meta did not return the granted permissions.');
  return granted;
}

async function revoke(settings: MetaAdsSettings, token: string, signal: AbortSignal): Promise<void> {
  try {
    await ask(settings, 'DELETE', 'me/permissions', token, signal);
  } catch (error) {
    // An already invalid token counts as revoked.
    if (!(error instanceof ReconnectNeeded)) throw error;
  }
}

async function ask(
  settings: MetaAdsSettings,
  method: 'GET' | 'DELETE',
  path: string,
  token: string,
  signal: AbortSignal,
  parameters: Record<string, string> = {},
): Promise<unknown> {
  const context: ConnectorContext = { signal, onRequest: () => undefined };
  return readAnswer(await sendGraphRequest(settings, context, { method, path, parameters }, token));
}
