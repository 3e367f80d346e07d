import { createHash, randomBytes } from 'node:crypto';
import { sendHtml, sendJson, type Exchange } from '../router.ts';
import { users } from './accounts.ts';
import { consentPage, errorPage } from './consent-page.ts';
import type { GoogleAdsState } from './state.ts';
import { accessTokenSeconds, identity, issueIdToken, issueToken, readToken } from './tokens.ts';

/** Scopes that every sign-in grants. The user can deselect the others. */
const basicScopes = [
  'openid',
  'email',
  'profile',
  'https://www.googleapis.com/auth/userinfo.email',
  'https://www.googleapis.com/auth/userinfo.profile',
];
const codeLifeMs = 10 * 60 * 1_000;

interface AuthorizationCode {
  user: string;
  clientId: string;
  redirectUri: string;
  scopes: string[];
  challenge: string;
  hasRefreshToken: boolean;
  expiresAt: number;
}

/** An error of the token endpoint, in the format of RFC 6749. */
class OAuthError extends Error {
  readonly status: number;
  readonly body: { error: string; error_description: string };

  constructor(status: number, error: string, description: string) {
    super(description);
    this.status = status;
    this.body = { error, error_description: description };
  }
}

export class OAuth {
  readonly #state: GoogleAdsState;
  readonly #codes = new Map<string, AuthorizationCode>();

  constructor(state: GoogleAdsState) {
    this.#state = state;
  }

  showConsent({ response, url }: Exchange): void {
    const problem = findProblem(url.searchParams);
    if (problem) return sendHtml(response, 400, errorPage(problem));
    sendHtml(
      response,
      200,
      consentPage(
        url.searchParams,
        requestedScopes(url.searchParams).filter((scope) => !basicScopes.includes(scope)),
      ),
    );
  }

  /** The consent form. Its address contains the request, its fields the user's decision. */
  decide({ response, url, body }: Exchange): void {
    const form = new URLSearchParams(body);
    const parameters = url.searchParams;
    const problem = findProblem(parameters);
    if (problem) return sendHtml(response, 400, errorPage(problem));
    const user = form.get('user') ?? '';
    // A form submitted without a button accepts, because Allow is the default button.
    const isAllowed = (form.get('decision') ?? 'allow') === 'allow';
    const redirect = new URL(parameters.get('redirect_uri') as string);
    redirect.searchParams.set('state', parameters.get('state') as string);
    const scopes = requestedScopes(parameters).filter(
      (scope) => basicScopes.includes(scope) || form.getAll('scope').includes(scope),
    );
    if (!isAllowed || scopes.length === 0) redirect.searchParams.set('error', 'access_denied');
    else if (!users.has(user)) return sendHtml(response, 400, errorPage(`Unknown user ${user}`));
    else {
      redirect.searchParams.set('code', this.#issueCode(parameters, user, scopes));
      redirect.searchParams.set('scope', scopes.join(' '));
    }
    response.writeHead(302, { location: redirect.href, 'cache-control': 'no-store' }).end();
  }

  #issueCode(parameters: URLSearchParams, user: string, scopes: string[]): string {
    const clientId = parameters.get('client_id') as string;
    const isFirst = !this.#state.consents.has(`${user} ${clientId}`);
    this.#state.consents.add(`${user} ${clientId}`);
    const isAsked = (parameters.get('prompt') ?? '').split(' ').includes('consent');
    const code = `4/0${randomBytes(24).toString('base64url')}`;
    this.#codes.set(code, {
      user,
      clientId,
      redirectUri: parameters.get('redirect_uri') as string,
      scopes,
      challenge: parameters.get('code_challenge') as string,
      hasRefreshToken: parameters.get('access_type') === 'offline' && (isFirst || isAsked),
      expiresAt: Date.now() + codeLifeMs,
    });
    return code;
  }

  token({ request, response, body }: Exchange): void {
    try {
      const form = new URLSearchParams(body);
      const clientId = authenticateClient(form, request.headers.authorization);
      const grantType = form.get('grant_type');
      if (grantType === 'authorization_code') return sendJson(response, 200, this.#exchangeCode(form, clientId));
      if (grantType === 'refresh_token') return sendJson(response, 200, this.#refresh(form, clientId));
      throw new OAuthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType ?? ''}`);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      sendJson(response, error.status, error.body);
    }
  }

  #exchangeCode(form: URLSearchParams, clientId: string): Record<string, unknown> {
    const code = form.get('code') ?? '';
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    if (!grant || grant.clientId !== clientId || grant.expiresAt < Date.now())
      throw new OAuthError(400, 'invalid_grant', 'Bad Request');
    if (grant.redirectUri !== form.get('redirect_uri')) throw new OAuthError(400, 'redirect_uri_mismatch', 'Bad Request');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant.challenge !== challenge) throw new OAuthError(400, 'invalid_grant', 'Invalid code verifier.');
    const claims = { user: grant.user, clientId, scopes: grant.scopes };
    return {
      ...tokenAnswer(claims),
      ...(grant.hasRefreshToken && { refresh_token: issueToken({ kind: 'refresh', ...claims }) }),
    };
  }

  /** Google does not rotate refresh tokens, so the answer has none. */
  #refresh(form: URLSearchParams, clientId: string): Record<string, unknown> {
    const claims = readToken(form.get('refresh_token') ?? '');
    if (claims?.kind !== 'refresh') throw new OAuthError(400, 'invalid_grant', 'Bad Request');
    if (claims.clientId !== clientId) throw new OAuthError(401, 'unauthorized_client', 'Unauthorized');
    if (this.#state.tokenProblem(claims)) throw new OAuthError(400, 'invalid_grant', 'Token has been expired or revoked.');
    return tokenAnswer(claims);
  }

  /** Revoking any token ends the whole consent of that user for that client, as at Google. */
  revoke({ response, url, body }: Exchange): void {
    const claims = readToken(new URLSearchParams(body).get('token') ?? url.searchParams.get('token') ?? '');
    if (!claims || this.#state.tokenProblem(claims) === 'OAUTH_TOKEN_REVOKED') {
      return sendJson(response, 400, { error: 'invalid_token', error_description: 'Token expired or revoked' });
    }
    this.#state.revoke(claims);
    sendJson(response, 200, {});
  }

  userInfo({ request, response }: Exchange): void {
    const claims = readToken((request.headers.authorization ?? '').replace(/^Bearer\s+/i, ''));
    if (claims?.kind !== 'access' || this.#state.tokenProblem(claims)) {
      return sendJson(response, 401, { error: 'invalid_request', error_description: 'Invalid Credentials' });
    }
    const { sub, ...email } = identity(claims.user);
    sendJson(response, 200, { sub, ...(hasEmail(claims.scopes) && email) });
  }
}

function tokenAnswer({ user, clientId, scopes }: { user: string; clientId: string; scopes: string[] }): Record<string, unknown> {
  return {
    access_token: issueToken({ kind: 'access', user, clientId, scopes }),
    expires_in: accessTokenSeconds,
    scope: scopes.join(' '),
    token_type: 'Bearer',
    ...((scopes.includes('openid') || hasEmail(scopes)) && { id_token: issueIdToken(clientId, user) }),
  };
}

function hasEmail(scopes: string[]): boolean {
  return scopes.includes('email') || scopes.includes('https://www.googleapis.com/auth/userinfo.email');
}

function requestedScopes(parameters: URLSearchParams): string[] {
  return (parameters.get('scope') ?? '').split(' ').filter(Boolean);
}

function authenticateClient(form: URLSearchParams, authorization: string | undefined): string {
  const basic = /^Basic\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  const pair = basic ? Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent) : [];
  const clientId = form.get('client_id') ?? pair[0] ?? '';
  const secret = form.get('client_secret') ?? pair[1] ?? '';
  if (!clientId) throw new OAuthError(400, 'invalid_request', 'Could not determine client ID from request.');
  if (!secret) throw new OAuthError(400, 'invalid_request', 'client_secret is missing.');
  if (secret === 'wrong') throw new OAuthError(401, 'invalid_client', 'Unauthorized');
  // Answers of Google for clients that were deleted or disabled in the console (google-api-nodejs-client #1256).
  if (secret === 'deleted') throw new OAuthError(401, 'deleted_client', 'The OAuth client was deleted.');
  if (secret === 'disabled') throw new OAuthError(401, 'disabled_client', 'The OAuth client was disabled.');
  return clientId;
}

/** Why the request cannot be shown. Such a request is never redirected. */
function findProblem(parameters: URLSearchParams): string | null {
  const missing = ['client_id', 'redirect_uri', 'state', 'scope', 'code_challenge'].find((name) => !parameters.get(name));
  if (missing) return `Missing required parameter: ${missing}`;
  if (parameters.get('response_type') !== 'code') return 'Invalid response_type: only code is supported';
  if (parameters.get('code_challenge_method') !== 'S256') return 'Invalid code_challenge_method: only S256 is supported';
  if (!/^[\w-]{43}$/.test(parameters.get('code_challenge') as string))
    return 'Invalid code_challenge: 43 characters of base64url are expected';
  const redirect = URL.parse(parameters.get('redirect_uri') as string);
  const isSound = redirect !== null && ['http:', 'https:'].includes(redirect.protocol) && redirect.hash === '';
  return isSound ? null : 'Invalid redirect_uri: an http or https address without a fragment is expected';
}
