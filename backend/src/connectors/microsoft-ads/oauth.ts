import * as oauth from 'oauth4webapi';
import type { Authorization, ExternalUser, OAuthFlow, Scope, StoredToken, TokenGrant } from '../kit/oauth/oauth.js';
import { MicrosoftAdsApi } from './api.js';
import { toOAuthError, withoutRefreshToken } from './oauth-errors.js';
import type { MicrosoftAdsSettings } from './settings.js';

const keepAccess = 'offline_access';
const scopes: Scope[] = [
  {
    scope: 'https://ads.microsoft.com/msads.manage',
    reason: 'To list your ad accounts and read their reports.',
    isRequired: true,
  },
  { scope: keepAccess, reason: 'To read reports while you are signed out.', isRequired: true },
];
const scope = scopes.map((one) => one.scope).join(' ');

const REQUEST_TIMEOUT_MS = 30_000;
/** Microsoft's tokens are valid for an hour. Used only if the answer has no lifetime. */
const DEFAULT_LIFETIME_SECONDS = 3_600;
/** Leaves time for the request that uses the token. */
const REFRESH_MARGIN_MS = 60_000;

/** Microsoft sign-in. Every refresh returns a new refresh token and invalidates the old one. */
export function microsoftOauth(settings: MicrosoftAdsSettings): OAuthFlow {
  return {
    scopes,
    refreshMarginMs: REFRESH_MARGIN_MS,
    startAuthorization: (request) => startAuthorization(settings, request),
    exchangeCode: (request, signal) => exchangeCode(settings, request, signal),
    refresh: (token, signal) => refresh(settings, token, signal),
    // Microsoft has no revocation endpoint. The user revokes the consent at account.microsoft.com or myapps.
    revoke: () => Promise.resolve(),
  };
}

async function startAuthorization(
  settings: MicrosoftAdsSettings,
  request: { redirectUri: string; state: string; loginHint?: string },
): Promise<Authorization> {
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const url = new URL(settings.authorizeUrl);
  const parameters: Record<string, string> = {
    response_type: 'code',
    response_mode: 'query',
    client_id: settings.clientId,
    redirect_uri: request.redirectUri,
    scope,
    state: request.state,
    prompt: 'select_account',
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(request.loginHint ? { login_hint: request.loginHint } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, codeVerifier };
}

async function exchangeCode(
  settings: MicrosoftAdsSettings,
  request: { code: string; redirectUri: string; codeVerifier: string },
  signal: AbortSignal,
): Promise<TokenGrant> {
  const { server, client, authentication, options } = describe(settings, signal);
  return translated(signal, async () => {
    const callback = oauth.validateAuthResponse(server, client, new URLSearchParams({ code: request.code }), oauth.expectNoState);
    const { redirectUri, codeVerifier } = request;
    const response = await oauth.authorizationCodeGrantRequest(
      ...([server, client, authentication, callback, redirectUri, codeVerifier, options] as const),
    );
    const grant = toGrant(settings, await oauth.processAuthorizationCodeResponse(server, client, response));
    if (grant.refreshToken === null) throw withoutRefreshToken();
    return { ...grant, externalUser: await whoIs(settings, grant.accessToken, signal) };
  });
}

async function refresh(settings: MicrosoftAdsSettings, token: StoredToken, signal: AbortSignal): Promise<TokenGrant> {
  const { server, client, authentication, options } = describe(settings, signal);
  return translated(signal, async () => {
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token.refreshToken ?? '', options);
    return toGrant(settings, await oauth.processRefreshTokenResponse(server, client, response));
  });
}

function describe(settings: MicrosoftAdsSettings, signal: AbortSignal) {
  const server: oauth.AuthorizationServer = {
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    token_endpoint: settings.tokenUrl,
  };
  const options = {
    // Both requests must contain the scope.
    additionalParameters: { scope },
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    // Plain http is allowed only if the operator configured it, for a test server on the same machine.
    [oauth.allowInsecureRequests]: settings.tokenUrl.startsWith('http://'),
  };
  return {
    server,
    client: { client_id: settings.clientId },
    authentication: oauth.ClientSecretPost(settings.clientSecret),
    options,
  };
}

function toGrant(settings: MicrosoftAdsSettings, answer: oauth.TokenEndpointResponse): TokenGrant {
  const granted = (answer.scope ?? '').split(' ').filter((one) => one !== '');
  return {
    accessToken: answer.access_token,
    expiresAt: new Date(settings.now().getTime() + (answer.expires_in ?? DEFAULT_LIFETIME_SECONDS) * 1_000),
    refreshToken: answer.refresh_token ?? null,
    // About 90 days without use, but Microsoft does not return the exact time.
    signInAgainAt: null,
    // The answer lists only the scopes of the access token. The refresh token shows that offline access was granted.
    grantedScopes: answer.refresh_token === undefined ? granted : [...granted, keepAccess],
    externalUser: null,
  };
}

/** Microsoft Advertising's own user id. The id of the sign-in differs per installation. */
async function whoIs(settings: MicrosoftAdsSettings, accessToken: string, signal: AbortSignal): Promise<ExternalUser> {
  const api = new MicrosoftAdsApi(settings, { accessToken: () => Promise.resolve(accessToken) });
  return api.getUser({ signal, onRequest: () => undefined });
}

async function translated<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toOAuthError(error);
  }
}
