import * as oauth from 'oauth4webapi';
import { toOAuthError } from './google-oauth-errors.js';
import type { Authorization, OAuthFlow, Scope, StoredToken, TokenGrant } from './oauth.js';

export interface GoogleOAuthSettings {
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
  revokeUrl: string;
  /** Issuer of the identity token. Defaults to Google; other values are for test servers. */
  issuer?: string;
  /** The current time, to compute token expiry. */
  now(): Date;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** Google's tokens are valid for an hour. Used only if the answer has no lifetime. */
const DEFAULT_LIFETIME_SECONDS = 3_600;
/** Leaves time for the request that uses the token. */
const REFRESH_MARGIN_MS = 60_000;

/** Requested in addition to the connector's scopes. */
const identityScopes: Scope[] = [
  { scope: 'openid', reason: 'To detect when a different user reconnects the app.', isRequired: false },
  { scope: 'email', reason: 'To show which Google user the app is connected as.', isRequired: false },
];

/** Google sign-in with the scopes of one connector. */
export function googleOauth(settings: GoogleOAuthSettings, ownScopes: Scope[]): OAuthFlow {
  const scopes = [...ownScopes, ...identityScopes];
  return {
    scopes,
    refreshMarginMs: REFRESH_MARGIN_MS,
    startAuthorization: (request) => startAuthorization(settings, scopes, request),
    exchangeCode: (request, signal) => exchangeCode(settings, request, signal),
    refresh: (token, signal) => refreshAccess(settings, token, signal),
    revoke: (token, signal) => revokeAccess(settings, token, signal),
  };
}

/** The consent URL. With `prompt=consent`, Google returns a refresh token again when an app is reconnected. */
async function startAuthorization(
  settings: GoogleOAuthSettings,
  scopes: Scope[],
  request: { redirectUri: string; state: string; loginHint?: string },
): Promise<Authorization> {
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const url = new URL(settings.authorizeUrl);
  const parameters: Record<string, string> = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: request.redirectUri,
    scope: scopes.map(({ scope }) => scope).join(' '),
    state: request.state,
    access_type: 'offline',
    prompt: 'consent',
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(request.loginHint ? { login_hint: request.loginHint } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, codeVerifier };
}

/** Exchanges the code for tokens. The caller has already verified `state`. */
async function exchangeCode(
  settings: GoogleOAuthSettings,
  request: { code: string; redirectUri: string; codeVerifier: string },
  signal: AbortSignal,
): Promise<TokenGrant> {
  const { server, client, authentication } = describe(settings);
  return translated(signal, async () => {
    const callback = oauth.validateAuthResponse(server, client, new URLSearchParams({ code: request.code }), oauth.expectNoState);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      callback,
      request.redirectUri,
      request.codeVerifier,
      requestOptions(settings.tokenUrl, signal),
    );
    return toGrant(settings, await oauth.processAuthorizationCodeResponse(server, client, response));
  });
}

async function refreshAccess(settings: GoogleOAuthSettings, token: StoredToken, signal: AbortSignal): Promise<TokenGrant> {
  const { server, client, authentication } = describe(settings);
  return translated(signal, async () => {
    const options = requestOptions(settings.tokenUrl, signal);
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token.refreshToken ?? '', options);
    return toGrant(settings, await oauth.processRefreshTokenResponse(server, client, response));
  });
}

/** Revokes the access at Google. An already invalid token counts as success. */
async function revokeAccess(settings: GoogleOAuthSettings, token: StoredToken, signal: AbortSignal): Promise<void> {
  const { server, client, authentication } = describe(settings);
  await translated(signal, async () => {
    const options = requestOptions(settings.revokeUrl, signal);
    const response = await oauth.revocationRequest(
      server,
      client,
      authentication,
      token.refreshToken ?? token.accessToken,
      options,
    );
    if (response.status === 400) return;
    await oauth.processRevocationResponse(response);
  });
}

function describe(settings: GoogleOAuthSettings) {
  const server: oauth.AuthorizationServer = {
    issuer: settings.issuer ?? 'https://accounts.google.com',
    token_endpoint: settings.tokenUrl,
    revocation_endpoint: settings.revokeUrl,
  };
  return { server, client: { client_id: settings.clientId }, authentication: oauth.ClientSecretPost(settings.clientSecret) };
}

/** Plain http is allowed only if the operator configured it, for a test server on the same machine. */
function requestOptions(url: string, signal: AbortSignal) {
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    [oauth.allowInsecureRequests]: url.startsWith('http://'),
  };
}

function toGrant(settings: GoogleOAuthSettings, answer: oauth.TokenEndpointResponse): TokenGrant {
  const claims = oauth.getValidatedIdTokenClaims(answer);
  const email = claims?.['email'];
  return {
    accessToken: answer.access_token,
    expiresAt: new Date(settings.now().getTime() + (answer.expires_in ?? DEFAULT_LIFETIME_SECONDS) * 1_000),
    refreshToken: answer.refresh_token ?? null,
    // Google does not return when an unused or revoked grant expires.
    signInAgainAt: null,
    grantedScopes: (answer.scope ?? '').split(' ').filter((scope) => scope !== ''),
    externalUser: claims ? { id: claims.sub, email: typeof email === 'string' ? email : '' } : null,
  };
}

async function translated<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toOAuthError(error);
  }
}
