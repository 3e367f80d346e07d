import { createHash, randomBytes } from 'node:crypto';
import { sendHtml, sendJson, type Exchange } from '../router.ts';
import { users } from './accounts.ts';
import { consentPage, errorPage } from './consent-page.ts';
import { strikeToken } from './faults.ts';
import { interactionRequired, invalidGrant, OAuthError } from './oauth-error.ts';
import type { MicrosoftAdsState } from './state.ts';
import { accessTokenSeconds, issueToken, readToken, type TokenClaims } from './tokens.ts';

export const adsScope = 'https://ads.microsoft.com/msads.manage';
/** Not included in the answer of the token endpoint. */
const ownScopes = ['offline_access', 'openid', 'profile', 'email'];
const codeLifeMs = 10 * 60 * 1_000;

interface AuthorizationCode {
  user: string;
  clientId: string;
  redirectUri: string;
  scopes: string[];
  /** null: no PKCE, which is optional for web apps at Microsoft. */
  challenge: string | null;
  isRedeemed: boolean;
  expiresAt: number;
}

type Grant = Pick<TokenClaims, 'user' | 'clientId' | 'scopes'>;

export class OAuth {
  readonly #state: MicrosoftAdsState;
  readonly #codes = new Map<string, AuthorizationCode>();

  constructor(state: MicrosoftAdsState) {
    this.#state = state;
  }

  showConsent({ response, url }: Exchange): void {
    const problem = findProblem(url.searchParams);
    if (problem) return sendHtml(response, 400, errorPage(problem));
    sendHtml(response, 200, consentPage(url.searchParams, scopesIn(url.searchParams)));
  }

  /** The consent form. Its address contains the request, its fields the user's decision. */
  decide({ response, url, body }: Exchange): void {
    const form = new URLSearchParams(body);
    const problem = findProblem(url.searchParams);
    if (problem) return sendHtml(response, 400, errorPage(problem));
    const user = form.get('user') ?? '';
    const redirect = new URL(url.searchParams.get('redirect_uri') as string);
    // A form submitted without a button accepts, because Accept is the default button.
    if ((form.get('decision') ?? 'allow') !== 'allow') {
      redirect.searchParams.set('error', 'access_denied');
      redirect.searchParams.set('error_subcode', 'cancel');
    } else if (!users.has(user)) return sendHtml(response, 400, errorPage(`Unknown user ${user}`));
    else redirect.searchParams.set('code', this.#issueCode(url.searchParams, user));
    const state = url.searchParams.get('state');
    if (state !== null) redirect.searchParams.set('state', state);
    response.writeHead(302, { location: redirect.href, 'cache-control': 'no-store' }).end();
  }

  #issueCode(parameters: URLSearchParams, user: string): string {
    const code = `M.C5_BAY.2.U.${randomBytes(24).toString('base64url')}`;
    this.#codes.set(code, {
      user,
      clientId: parameters.get('client_id') as string,
      redirectUri: parameters.get('redirect_uri') as string,
      scopes: scopesIn(parameters),
      challenge: parameters.get('code_challenge'),
      isRedeemed: false,
      expiresAt: Date.now() + codeLifeMs,
    });
    return code;
  }

  token(exchange: Exchange): void {
    const { request, response, body } = exchange;
    try {
      const form = new URLSearchParams(body);
      const clientId = authenticateClient(form, request.headers.authorization);
      const grantType = form.get('grant_type');
      if (!form.get('scope')) throw missing('scope');
      if (grantType === 'authorization_code') sendJson(response, 200, this.#redeem(form, clientId, exchange));
      else if (grantType === 'refresh_token') sendJson(response, 200, this.#refresh(form, clientId, exchange));
      else
        throw new OAuthError(
          400,
          'unsupported_grant_type',
          70_003,
          `The app requested an unsupported grant type '${grantType}'.`,
        );
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      sendJson(response, error.status, error.body(new Date()));
    }
  }

  #redeem(form: URLSearchParams, clientId: string, exchange: Exchange): Record<string, unknown> {
    const code = this.#codes.get(form.get('code') ?? '');
    if (!code || code.clientId !== clientId) throw invalidGrant();
    if (code.isRedeemed) {
      const words =
        'OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.';
      throw new OAuthError(400, 'invalid_grant', 54_005, words);
    }
    code.isRedeemed = true;
    if (code.expiresAt < Date.now())
      throw new OAuthError(400, 'invalid_grant', 70_008, 'The provided authorization code has expired.');
    if (code.redirectUri !== form.get('redirect_uri')) {
      const words = `The reply url specified in the request does not match the reply urls configured for the application: '${clientId}'.`;
      throw new OAuthError(400, 'invalid_client', 50_011, words);
    }
    checkVerifier(code.challenge, form.get('code_verifier'));
    const { user, scopes } = code;
    const hasRefreshToken = !strikeToken(this.#state.faults, exchange, 'no_refresh_token', user);
    return tokenAnswer({ user, clientId, scopes: within(form, scopes) }, scopes, hasRefreshToken);
  }

  /** Microsoft rotates refresh tokens: the answer has a new one, and the old one becomes invalid. */
  #refresh(form: URLSearchParams, clientId: string, exchange: Exchange): Record<string, unknown> {
    const claims = readToken(form.get('refresh_token') ?? '');
    if (claims?.kind !== 'refresh' || claims.clientId !== clientId) throw invalidGrant();
    if (strikeToken(this.#state.faults, exchange, 'spurious_invalid_grant', claims.user)) throw invalidGrant();
    if (this.#state.isSpent(claims)) throw invalidGrant();
    if (this.#state.mustSignInAgain(claims)) throw interactionRequired();
    const scopes = within(form, claims.scopes);
    this.#state.rotate(claims);
    return tokenAnswer({ user: claims.user, clientId, scopes }, claims.scopes, true);
  }
}

function tokenAnswer(grant: Grant, consented: string[], mayRefresh: boolean): Record<string, unknown> {
  const refreshToken = issueToken({ kind: 'refresh', ...grant, scopes: consented });
  return {
    token_type: 'Bearer',
    scope: grant.scopes.filter((scope) => !ownScopes.includes(scope)).join(' '),
    expires_in: accessTokenSeconds,
    ext_expires_in: accessTokenSeconds,
    access_token: issueToken({ kind: 'access', ...grant }),
    ...(mayRefresh && consented.includes('offline_access') && { refresh_token: refreshToken }),
  };
}

/** The scopes of this request. All of them must have been granted. */
function within(form: URLSearchParams, consented: string[]): string[] {
  const scopes = scopesIn(form);
  if (scopes.some((scope) => !ownScopes.includes(scope) && !consented.includes(scope))) throw invalidGrant();
  return scopes;
}

function checkVerifier(challenge: string | null, verifier: string | null): void {
  const made = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url');
  if (challenge === null ? verifier === null : made === challenge) return;
  const words = 'The Code_Verifier does not match the code_challenge supplied in the authorization request.';
  throw new OAuthError(400, 'invalid_grant', 501_481, words);
}

function scopesIn(parameters: URLSearchParams): string[] {
  return (parameters.get('scope') ?? '').split(' ').filter(Boolean);
}

function missing(name: string): OAuthError {
  return new OAuthError(400, 'invalid_request', 900_144, `The request body must contain the following parameter: '${name}'.`);
}

function authenticateClient(form: URLSearchParams, authorization: string | undefined): string {
  const basic = /^Basic\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  const pair = basic ? Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent) : [];
  const clientId = form.get('client_id') ?? pair[0] ?? '';
  const secret = form.get('client_secret') ?? pair[1] ?? '';
  if (!clientId) throw missing('client_id');
  if (!secret) {
    throw new OAuthError(
      401,
      'invalid_client',
      7_000_218,
      "The request body must contain the following parameter: 'client_secret'.",
    );
  }
  if (secret === 'wrong') throw new OAuthError(401, 'invalid_client', 7_000_215, 'Invalid client secret provided.');
  return clientId;
}

/** Why the request cannot be shown. Such a request is never redirected. */
function findProblem(parameters: URLSearchParams): string | null {
  const absent = ['client_id', 'redirect_uri', 'scope', 'response_type'].find((name) => !parameters.get(name));
  if (absent) return `AADSTS900144: The request body must contain the following parameter: '${absent}'.`;
  if (parameters.get('response_type') !== 'code') return 'AADSTS70011: response_type: only code is supported';
  const unknown = scopesIn(parameters).find((scope) => scope !== adsScope && !ownScopes.includes(scope));
  if (unknown)
    return `AADSTS70011: The provided request must include a 'scope' input parameter. The scope ${unknown} is not valid.`;
  const challenge = parameters.get('code_challenge');
  if (challenge !== null && (parameters.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)))
    return 'AADSTS501491: Invalid size or method of Code_Challenge parameter.';
  const redirect = URL.parse(parameters.get('redirect_uri') as string);
  const isSound = redirect !== null && ['http:', 'https:'].includes(redirect.protocol) && redirect.hash === '';
  return isSound ? null : "invalid_request: The provided value for the input parameter 'redirect_uri' is not valid.";
}
