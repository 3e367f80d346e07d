import type { IncomingMessage } from 'node:http';
import { accounts, users, type Account, type User } from './accounts.ts';
import { GoogleAdsError, notEnabled, permissionDenied } from './errors.ts';
import type { GoogleAdsState } from './state.ts';
import { readToken } from './tokens.ts';

export const adsScope = 'https://www.googleapis.com/auth/adwords';

/** Authenticates the caller: 401 without a valid access token, 403 if the scope was not granted. */
export function authenticate(request: IncomingMessage, state: GoogleAdsState): User {
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const claims = bearer ? readToken(bearer) : null;
  if (claims?.kind !== 'access')
    throw unauthenticated('OAUTH_TOKEN_INVALID', 'The OAuth token in the request is missing or invalid.');
  const problem = state.tokenProblem(claims);
  if (problem === 'ACCESS_TOKEN_EXPIRED') throw frontDoorExpired();
  if (problem)
    throw unauthenticated(
      problem,
      problem === 'OAUTH_TOKEN_EXPIRED' ? 'OAuth access token is expired.' : 'OAuth access token is revoked.',
    );
  if (!claims.scopes.includes(adsScope)) throw insufficientScopes();
  const user = users.get(claims.user);
  if (!user || user.directAccountIds.length === 0) {
    throw unauthenticated(
      'NOT_ADS_USER',
      'The Google account that generated the OAuth access token is not associated with a Google Ads account.',
    );
  }
  return user;
}

/** The requested account, accessed directly or through the manager in login-customer-id. */
export function reachAccount(request: IncomingMessage, user: User, customerId: string): Account {
  if (!/^\d{10}$/.test(customerId)) {
    throw new GoogleAdsError('invalid', 'requestError', 'INVALID_CUSTOMER_ID', `Invalid customer ID '${customerId}'.`);
  }
  const loginId = loginCustomerId(request);
  const account = accounts.get(customerId);
  if (!account) throw unauthenticated('CUSTOMER_NOT_FOUND', 'No customer found for the provided customer ID.');
  const isReached =
    loginId === undefined || loginId === customerId
      ? user.directAccountIds.includes(customerId)
      : user.directAccountIds.includes(loginId) && isClientOf(user, loginId, customerId);
  if (!isReached || user.deniedAccountIds.includes(customerId)) throw permissionDenied();
  if (account.status !== 'ENABLED') throw notEnabled();
  return account;
}

function loginCustomerId(request: IncomingMessage): string | undefined {
  const header = request.headers['login-customer-id'];
  if (header === undefined || header === '') return undefined;
  if (typeof header === 'string' && /^\d{10}$/.test(header)) return header;
  throw new GoogleAdsError(
    'invalid',
    'headerError',
    'INVALID_LOGIN_CUSTOMER_ID',
    'The login customer ID could not be validated: ten digits, no dashes.',
  );
}

function isClientOf(user: User, managerId: string, customerId: string): boolean {
  if (user.clientAccountIds[managerId]?.includes(customerId)) return true;
  if (accounts.get(managerId)?.isManager) return false;
  throw new GoogleAdsError(
    'forbidden',
    'authorizationError',
    'INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION',
    'The login customer is no manager of the serving customer.',
  );
}

function unauthenticated(code: string, message: string): GoogleAdsError {
  return new GoogleAdsError('unauthenticated', 'authenticationError', code, message);
}

/** Google's API gateway can reject an expired token before Google Ads sees the call (google.api.ErrorReason). */
const frontDoorExpired = (): GoogleAdsError =>
  new GoogleAdsError('unauthenticated', '', 'ACCESS_TOKEN_EXPIRED', 'Request had invalid authentication credentials.', {
    isFrontDoor: true,
  });

/** Returned by Google's API gateway, in the general format of its APIs. */
function insufficientScopes(): GoogleAdsError {
  const message = 'Request had insufficient authentication scopes.';
  return new GoogleAdsError('forbidden', '', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', message, { isFrontDoor: true });
}
