import type { IncomingMessage } from 'node:http';
import { accounts, users, type Account, type User } from './accounts.ts';
import { invalidCredentials, missingHeaders, notAuthorized, tokenExpired } from './errors.ts';
import { adsScope } from './oauth.ts';
import type { MicrosoftAdsState } from './state.ts';
import { readToken } from './tokens.ts';

/** Authenticates the caller by Authorization and DeveloperToken. */
export function authenticate(request: IncomingMessage, state: MicrosoftAdsState): User {
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!bearer) throw invalidCredentials('InvalidAccessToken');
  requireHeaders(request, ['DeveloperToken']);
  const claims = readToken(bearer);
  if (claims?.kind !== 'access' || !claims.scopes.includes(adsScope)) throw invalidCredentials('InvalidAccessToken');
  if (request.headers.developertoken === 'wrong' || state.isRevoked(claims)) throw invalidCredentials('InvalidAccessToken');
  if (state.isExpired(claims)) throw tokenExpired();
  const user = users.get(claims.user);
  if (!user || user.isUnknown) throw invalidCredentials('UserNotFound');
  return user;
}

/** The account of the CustomerAccountId header, owned by the customer of the CustomerId header. */
export function reachAccount(request: IncomingMessage, user: User): Account {
  requireHeaders(request, ['CustomerId', 'CustomerAccountId']);
  const account = findOwn(user, String(request.headers.customeraccountid));
  if (!account || account.customerId !== request.headers.customerid) throw notAuthorized();
  if (account.lifeCycleStatus !== 'Active') throw invalidCredentials('AccountInactive');
  return account;
}

/** An account that the user may read; undefined if it is only listed, or belongs to another user. */
export function findOwn(user: User, accountId: string): Account | undefined {
  const isOwn = user.accountIds.includes(accountId) && !user.deniedAccountIds.includes(accountId);
  return isOwn ? accounts.get(accountId) : undefined;
}

function requireHeaders(request: IncomingMessage, names: string[]): void {
  const absent = names.filter((name) => !request.headers[name.toLowerCase()]);
  if (absent.length > 0) throw missingHeaders(absent);
}
