import { randomBytes } from 'node:crypto';
import { sendHtml, type Exchange } from '../router.ts';
import { users } from './accounts.ts';
import { consentPage, errorPage } from './consent-page.ts';
import type { MetaAdsState } from './state.ts';

const codeLifeMs = 10 * 60 * 1_000;

export interface AuthorizationCode {
  user: string;
  clientId: string;
  redirectUri: string;
  scopes: string[];
  challenge: string | null;
  expiresAt: number;
  isUsed: boolean;
}

/** The login dialog: the user and the app's permissions. */
export class Dialog {
  readonly codes = new Map<string, AuthorizationCode>();
  readonly #state: MetaAdsState;

  constructor(state: MetaAdsState) {
    this.#state = state;
  }

  show({ response, url }: Exchange): void {
    const problem = findProblem(url.searchParams);
    if (problem) return sendHtml(response, 400, errorPage(problem));
    sendHtml(response, 200, consentPage(url.searchParams, requestedScopes(url.searchParams)));
  }

  /** The dialog's form. Its address contains the request, its fields the user's decision. */
  decide({ response, url, body }: Exchange): void {
    const form = new URLSearchParams(body);
    const parameters = url.searchParams;
    const user = form.get('user') ?? '';
    const problem = findProblem(parameters) ?? (users.has(user) ? null : `Unknown user ${user}`);
    if (problem) return sendHtml(response, 400, errorPage(problem));
    const redirect = new URL(parameters.get('redirect_uri') as string);
    // A form submitted without a button accepts, because Continue is the default button.
    if ((form.get('decision') ?? 'allow') === 'allow')
      redirect.searchParams.set('code', this.#issueCode(parameters, user, form.getAll('scope')));
    else for (const [name, value] of denial) redirect.searchParams.set(name, value);
    if (parameters.has('state')) redirect.searchParams.set('state', parameters.get('state') as string);
    // Facebook appends this to every redirect.
    redirect.hash = '_=_';
    response.writeHead(302, { location: redirect.href, 'cache-control': 'no-store' }).end();
  }

  /** A declined permission is not requested again, unless the app sends auth_type=rerequest. */
  #issueCode(parameters: URLSearchParams, user: string, ticked: string[]): string {
    const clientId = parameters.get('client_id') as string;
    const before = this.#state.declinedBy(user, clientId);
    const isAskedAgain = parameters.get('auth_type') === 'rerequest';
    const requested = requestedScopes(parameters);
    const granted = requested.filter((scope) => ticked.includes(scope) && (isAskedAgain || !before.includes(scope)));
    this.#state.setDeclined(
      user,
      clientId,
      requested.filter((scope) => !granted.includes(scope)),
    );
    const code = `AQ${randomBytes(48).toString('base64url')}`;
    this.codes.set(code, {
      user,
      clientId,
      redirectUri: parameters.get('redirect_uri') as string,
      scopes: ['public_profile', ...granted],
      challenge: parameters.get('code_challenge'),
      expiresAt: Date.now() + codeLifeMs,
      isUsed: false,
    });
    return code;
  }
}

const denial = [
  ['error', 'access_denied'],
  ['error_code', '200'],
  ['error_description', 'Permissions error'],
  ['error_reason', 'user_denied'],
] as const;

/** Separated by commas or spaces. The public profile is always granted. */
function requestedScopes(parameters: URLSearchParams): string[] {
  return (parameters.get('scope') ?? '').split(/[ ,]+/).filter((scope) => scope !== '' && scope !== 'public_profile');
}

/** Why the request cannot be shown. Such a request is never redirected. */
function findProblem(parameters: URLSearchParams): string | null {
  const missing = ['client_id', 'redirect_uri'].find((name) => !parameters.get(name));
  if (missing) return `The parameter ${missing} is required`;
  if ((parameters.get('response_type') ?? 'code') !== 'code') return 'Only the response type code is supported';
  const redirect = URL.parse(parameters.get('redirect_uri') as string);
  const isSound = redirect !== null && ['http:', 'https:'].includes(redirect.protocol) && redirect.hash === '';
  return isSound ? null : 'Invalid redirect_uri: an http or https address without a fragment is expected';
}
