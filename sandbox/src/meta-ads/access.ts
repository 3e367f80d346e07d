import type { Exchange } from '../router.ts';
import { accounts, users, type Account, type User } from './accounts.ts';
import { badParameter, deadToken, GraphError, notGranted, unknownObject } from './errors.ts';
import type { MetaAdsState } from './state.ts';
import { appSecretProof, isEqual, readToken, type TokenClaims } from './tokens.ts';

export interface Caller {
  user: User;
  claims: TokenClaims;
  token: string;
}

type Asked = Pick<Exchange, 'request'> & { parameters: URLSearchParams };

/** Parameters of the address and of a posted form together. */
export function readParameters({ url, body, request }: Pick<Exchange, 'url' | 'body' | 'request'>): URLSearchParams {
  const parameters = new URLSearchParams(url.searchParams);
  const isJson = (request.headers['content-type'] ?? '').includes('json');
  const posted = isJson ? jsonParameters(body) : new URLSearchParams(body);
  for (const [name, value] of posted) parameters.set(name, value);
  return parameters;
}

function jsonParameters(body: string): [string, string][] {
  try {
    const object = JSON.parse(body) as Record<string, unknown>;
    // Meta's SDK sends null for every parameter that is not set.
    const present = Object.entries(object).filter(([, value]) => value !== null);
    return present.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  } catch {
    throw badParameter('Invalid JSON');
  }
}

/** Authenticates the caller by a header or a parameter. */
export function authenticate({ request, parameters }: Asked, state: MetaAdsState): Caller {
  const token = parameters.get('access_token') ?? /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!token) throw new GraphError(2_500, 'An active access token must be used to query information about the current user.');
  const claims = readToken(token);
  const user = users.get(claims?.user ?? '');
  if (!claims || !user) throw new GraphError(190, 'Invalid OAuth access token - Cannot parse access token', { httpStatus: 401 });
  const problem = state.tokenProblem(claims);
  if (problem !== null) throw deadToken(problem);
  checkProof(parameters.get('appsecret_proof'), claims, token, state);
  return { user, claims, token };
}

function checkProof(proof: string | null, claims: TokenClaims, token: string, state: MetaAdsState): void {
  const secret = state.appSecretOf(claims.clientId);
  if (proof === null || secret === undefined || isEqual(proof, appSecretProof(secret, token))) return;
  throw new GraphError(100, 'Invalid appsecret_proof provided in the API argument', { type: 'GraphMethodException' });
}

export function requireAdsScope({ claims }: Caller): void {
  if (!claims.scopes.includes('ads_read') && !claims.scopes.includes('ads_management')) throw notGranted();
}

/** Rejected if the user has no permission; unknown accounts look like missing ones. Data of closed accounts is readable. */
export function reachAccount(user: User, accountId: string): Account {
  const account = accounts.get(accountId);
  if (!account || !user.accountIds.includes(accountId)) throw unknownObject(`act_${accountId}`);
  if (user.deniedAccountIds.includes(accountId)) throw notGranted();
  return account;
}
