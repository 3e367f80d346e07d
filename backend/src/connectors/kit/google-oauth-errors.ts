import * as oauth from 'oauth4webapi';
import { FixSettings, ReconnectNeeded, RetryLater, type ConnectorError } from './errors.js';

/** What a failed call to the token or revocation endpoint means. Dead grants are permanent, everything unclear passes. */
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
          message: 'Google no longer accepts the stored access: it was withdrawn, has expired, or was not used for six months.',
          action: 'Reconnect with Google',
        },
        { cause },
      );
    case 'invalid_client':
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
  const message = "Google does not accept this installation's own credentials (client id, client secret or redirect address).";
  const action = 'Tell the operator of this installation to check GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET';
  return new FixSettings({ code: `google_oauth.${code}`, message, action }, { cause });
}

function unavailable(code: string, cause: unknown): RetryLater {
  const message = "Google's sign-in service could not be reached or had a fault of its own.";
  return new RetryLater(
    { code: `google_oauth.${code}`, message, action: 'Nothing to do: it is tried again by itself' },
    { cause },
  );
}
