import type { IncomingMessage } from 'node:http';
import { preciseNow } from '../clock.ts';
import { accessTokenSeconds, readToken } from '../google-ads/tokens.ts';
import type { Revocations } from '../google-ads/revocations.ts';
import { BigQueryError } from './errors.ts';
import type { BigQueryFaults } from './faults.ts';
import { findPrincipal, type Principal } from './principals.ts';

const scopes = ['https://www.googleapis.com/auth/bigquery', 'https://www.googleapis.com/auth/cloud-platform'];

/** Authenticates the caller: 401 without a valid access token, 403 for a token with another scope. */
export function authenticate(request: IncomingMessage, faults: BigQueryFaults, revocations: Revocations): Principal {
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const claims = bearer ? readToken(bearer) : null;
  const principal = claims?.kind === 'access' ? findPrincipal(claims.user) : null;
  if (!claims || !principal) throw unauthenticated();
  const isOver =
    preciseNow() > claims.issuedAt + accessTokenSeconds * 1_000 ||
    revocations.isRevoked(claims) ||
    faults.findForToken('expire_token', claims.user, claims.issuedAt) ||
    faults.findForToken('delete_account', claims.user, claims.issuedAt) ||
    ['revoke', 'expire_token'].some((fault) => faults.faults.findForToken('google-ads', fault, claims.user, claims.issuedAt));
  if (isOver) throw unauthenticated();
  if (!scopes.some((scope) => claims.scopes.includes(scope))) throw insufficientScopes();
  return principal;
}

function unauthenticated(): BigQueryError {
  const message =
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
  return new BigQueryError(401, 'authError', message, { location: { location: 'Authorization', locationType: 'header' } });
}

function insufficientScopes(): BigQueryError {
  return new BigQueryError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', {
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
        domain: 'googleapis.com',
        metadata: { service: 'bigquery.googleapis.com' },
      },
    ],
  });
}
