import { createHash } from 'node:crypto';
import type { AuthorizationCode } from './dialog.ts';
import { badParameter, deadToken, GraphError } from './errors.ts';
import type { MetaAdsState } from './state.ts';
import {
  appScopedId,
  dataAccessSeconds,
  issueToken,
  longTokenSeconds,
  readToken,
  shortTokenSeconds,
  type TokenClaims,
} from './tokens.ts';

type Json = Record<string, unknown>;

/** GET /oauth/access_token: exchanges a code for a short-lived token, or a valid token for a long-lived one. */
export function accessToken(state: MetaAdsState, codes: Map<string, AuthorizationCode>, parameters: URLSearchParams): Json {
  const clientId = authenticateApp(state, parameters);
  if (parameters.get('grant_type') === 'fb_exchange_token')
    return exchangeToken(state, clientId, parameters.get('fb_exchange_token'));
  const code = takeCode(codes, parameters, clientId);
  const now = state.nowSeconds();
  const { user, scopes } = code;
  return tokenAnswer(
    { user, clientId, scopes, expiresAt: now + shortTokenSeconds, dataAccessExpiresAt: now + dataAccessSeconds },
    now,
  );
}

/** A wrong secret has code 1, which elsewhere is a transient error. */
function authenticateApp(state: MetaAdsState, parameters: URLSearchParams): string {
  const clientId = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  if (!clientId) throw new GraphError(101, 'Missing client_id parameter.');
  if (!secret) throw new GraphError(1, 'Missing client_secret parameter.');
  if (secret === 'wrong') throw new GraphError(1, 'Error validating client secret.');
  state.rememberAppSecret(clientId, secret);
  return clientId;
}

function takeCode(codes: Map<string, AuthorizationCode>, parameters: URLSearchParams, clientId: string): AuthorizationCode {
  const code = codes.get(parameters.get('code') ?? '');
  if (!code || code.clientId !== clientId) throw new GraphError(100, 'Invalid verification code format.');
  if (code.redirectUri !== parameters.get('redirect_uri')) {
    throw new GraphError(
      100,
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
      { subcode: 36_008 },
    );
  }
  if (code.isUsed) throw new GraphError(100, 'This authorization code has been used.', { subcode: 36_009 });
  if (code.expiresAt < Date.now()) throw new GraphError(100, 'This authorization code has expired.', { subcode: 36_007 });
  if (code.challenge !== null && code.challenge !== challengeOf(parameters.get('code_verifier')))
    throw badParameter('Invalid code_verifier parameter');
  code.isUsed = true;
  return code;
}

function challengeOf(verifier: string | null): string {
  return createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url');
}

/** Data access ends 90 days after the login, however often the token is extended. The old token stays valid. */
function exchangeToken(state: MetaAdsState, clientId: string, token: string | null): Json {
  const claims = readToken(token ?? '');
  if (claims?.clientId !== clientId) throw new GraphError(190, 'Invalid OAuth access token - Cannot parse access token');
  const problem = state.tokenProblem(claims);
  if (problem !== null) throw deadToken(problem);
  const { user, scopes, dataAccessExpiresAt } = claims;
  const now = state.nowSeconds();
  return tokenAnswer({ user, clientId, scopes, expiresAt: now + longTokenSeconds, dataAccessExpiresAt }, now);
}

function tokenAnswer(claims: Omit<TokenClaims, 'issuedAt'>, now: number): Json {
  return { access_token: issueToken(claims), token_type: 'bearer', expires_in: claims.expiresAt - now };
}

/** GET /debug_token, called with the app's own token `{app id}|{app secret}`. */
export function debugToken(state: MetaAdsState, parameters: URLSearchParams, appToken: string): Json {
  const [appId = '', secret] = appToken.split('|');
  if (!secret || secret === 'wrong' || (state.appSecretOf(appId) ?? secret) !== secret)
    throw new GraphError(190, 'Invalid OAuth access token signature.');
  const claims = readToken(parameters.get('input_token') ?? '');
  if (claims?.clientId !== appId)
    throw badParameter('The input_token must belong to the app of the access token', { subcode: 0 });
  const problem = state.tokenProblem(claims);
  const { scopes, user, expiresAt, dataAccessExpiresAt } = claims;
  return {
    data: {
      app_id: appId,
      type: 'USER',
      application: 'Sandbox app',
      data_access_expires_at: dataAccessExpiresAt,
      expires_at: expiresAt,
      is_valid: problem === null,
      issued_at: Math.floor(claims.issuedAt / 1_000),
      scopes,
      granular_scopes: scopes.filter((scope) => scope !== 'public_profile').map((scope) => ({ scope })),
      user_id: appScopedId(user, appId),
      ...(problem !== null && { error: { code: 190, message: deadToken(problem).message, subcode: problem } }),
    },
  };
}
