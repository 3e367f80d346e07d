import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { preciseNow } from '../clock.ts';
import { accounts, users, type User } from '../google-ads/accounts.ts';
import { accessTokenSeconds, readToken, type TokenClaims } from '../google-ads/tokens.ts';
import { frontError, permissionDenied } from './errors.ts';
import type { DataManagerState } from './state.ts';

export const dataManagerScope = 'https://www.googleapis.com/auth/datamanager';

export interface Caller {
  user: User;
  /** Number of the Google Cloud project that owns the OAuth client. Quotas are counted for it. */
  projectNumber: string;
}

/** Authenticates the caller: 401 without a valid access token, 403 if the scope was not granted. */
export function authenticate(state: DataManagerState, request: IncomingMessage, method: string): Caller {
  const metadata = { method: `google.ads.datamanager.v1.IngestionService.${method}` };
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const claims = bearer ? readToken(bearer) : null;
  const isValid = claims?.kind === 'access' && !isOver(state, claims);
  if (!isValid) {
    const reason = claims ? 'ACCESS_TOKEN_EXPIRED' : 'CREDENTIALS_MISSING';
    throw frontError('unauthenticated', reason, unauthenticatedText, metadata);
  }
  if (!claims.scopes.includes(dataManagerScope)) throw scopeInsufficient(method);
  const user = users.get(claims.user);
  if (!user) throw permissionDenied();
  return { user, projectNumber: projectNumberOf(claims.clientId) };
}

const unauthenticatedText =
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';

export function scopeInsufficient(method: string): Error {
  return frontError('forbidden', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'Request had insufficient authentication scopes.', {
    method: `google.ads.datamanager.v1.IngestionService.${method}`,
  });
}

/** Faults of Google Ads affect the same tokens. */
function isOver({ faults, revocations }: DataManagerState, claims: TokenClaims): boolean {
  const isStruck = ['google-ads', 'data-manager'].some((provider) =>
    ['revoke', 'expire_token'].some((fault) => faults.findForToken(provider, fault, claims.user, claims.issuedAt)),
  );
  return isStruck || revocations.isRevoked(claims) || preciseNow() > claims.issuedAt + accessTokenSeconds * 1_000;
}

function projectNumberOf(clientId: string): string {
  const hash = createHash('sha256').update(clientId).digest('hex').slice(0, 10);
  return String(100_000_000_000 + (parseInt(hash, 16) % 900_000_000_000));
}

/** The user belongs to the login account, which is the operating account or its manager. */
export function canReach(user: User, loginId: string, operatingId: string): boolean {
  const account = accounts.get(operatingId);
  if (account?.status !== 'ENABLED' || user.deniedAccountIds.includes(operatingId)) return false;
  const isLinked = loginId === operatingId || user.clientAccountIds[loginId]?.includes(operatingId);
  return user.directAccountIds.includes(loginId) && isLinked === true;
}
