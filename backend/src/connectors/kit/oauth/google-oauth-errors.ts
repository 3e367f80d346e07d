import * as oauth from 'oauth4webapi';
import { FixSettings, ReconnectNeeded, RetryLater, type ConnectorError } from '../errors.js';

/** Translates a failed call to the token or revocation endpoint. Invalid grants are permanent, unknown errors are transient. */
export function toOAuthError(error: unknown): ConnectorError {
  if (error instanceof oauth.ResponseBodyError) return fromErrorCode(error.error, error.status, error);
  if (error instanceof oauth.WWWAuthenticateChallengeError) return wrongClient('http_401', error);
  return unavailable('unreachable', error);
}

function fromErrorCode(code: string, status: number, cause: Error): ConnectorError {
  switch (code) {
    case 'invalid_grant':
      return new ReconnectNeeded(
        {
          code: 'google_oauth.invalid_grant',
          message: 'Google no longer accepts the stored access. It was revoked, expired, or unused for six months.',
          action: 'Reconnect with Google',
        },
        { cause },
      );
    case 'invalid_client':
    case 'deleted_client':
    case 'disabled_client':
    case 'unauthorized_client':
    case 'redirect_uri_mismatch':
      return wrongClient(code, cause);
    case 'invalid_request':
    case 'invalid_scope':
    case 'unsupported_grant_type':
      return wrongClient(code, cause);
    default:
      return unavailable(status >= 500 ? `http_${status}` : code, cause);
  }
}

function wrongClient(code: string, cause: Error): FixSettings {
  const message = "Google rejected this installation's own credentials (client ID, client secret or redirect URI).";
  const action = 'Ask the operator of this installation to check GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET';
  return new FixSettings({ code: `google_oauth.${code}`, message, action }, { cause });
}

function unavailable(code: string, cause: unknown): RetryLater {
  const message = "Google's sign-in service could not be reached or returned an error.";
  return new RetryLater(
    { code: `google_oauth.${code}`, message, action: 'No action needed: Tributary retries automatically' },
    { cause },
  );
}
