import * as oauth from 'oauth4webapi';
import { ConnectorError, FixSettings, ReconnectNeeded, RetryLater } from '../kit/errors.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';
import { RECONNECT } from './errors.js';

/**
 * Microsoft returns this for expired tokens, and sometimes for a token that works a moment later (AADSTS70000, BingAds-Python-SDK
 * #279). Older answers contain no number.
 */
const spuriousCode = 70_000;

function isUnsure(error: oauth.ResponseBodyError): boolean {
  const codes = codesOf(error);
  return error.error === 'invalid_grant' && (codes.length === 0 || codes.includes(spuriousCode));
}

/** Translates a failed call to the token endpoint. Invalid grants are permanent, unknown errors are transient. */
export function toOAuthError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  if (error instanceof oauth.ResponseBodyError) return fromErrorCode(error);
  if (error instanceof oauth.WWWAuthenticateChallengeError) return wrongClient('http_401', error);
  return unavailable('unreachable', error);
}

function fromErrorCode(cause: oauth.ResponseBodyError): ConnectorError {
  switch (cause.error) {
    case 'invalid_grant':
      return dead(cause, 'Microsoft no longer accepts the stored access. It was revoked, expired, or the password was changed.');
    case 'interaction_required':
    case 'login_required':
      return dead(cause, 'Microsoft requires a new sign-in, for example with a second factor.');
    case 'consent_required':
      return dead(cause, 'Microsoft requires a new consent of the user.');
    case 'temporarily_unavailable':
    case 'server_error':
      return unavailable(cause.error, cause);
    default:
      return cause.status >= 500 ? unavailable(`http_${cause.status}`, cause) : wrongClient(cause.error, cause);
  }
}

function dead(cause: oauth.ResponseBodyError, message: string): ReconnectNeeded {
  const code = `microsoft_ads.${cause.error}`;
  return new ReconnectNeeded({ code, message, action: RECONNECT, isUnsure: isUnsure(cause) }, { cause });
}

/** Without `offline_access`, Microsoft returns an access token for an hour and no refresh token. */
export function withoutRefreshToken(): ReconnectNeeded {
  return new ReconnectNeeded({
    code: 'microsoft_ads.no_refresh_token',
    message: 'Microsoft granted access for one hour only, without offline access.',
    action: 'Connect again and accept all permissions',
  });
}

function wrongClient(code: string, cause: Error): FixSettings {
  const message = "Microsoft rejected this installation's own credentials (client ID, client secret or redirect URI).";
  const action = 'Ask the operator of this installation to check MICROSOFT_CLIENT_ID and MICROSOFT_CLIENT_SECRET';
  return new FixSettings({ code: `microsoft_ads.${code}`, message, action }, { cause });
}

function unavailable(code: string, cause: unknown): RetryLater {
  const message = "Microsoft's sign-in service could not be reached or returned an error.";
  return new RetryLater({ code: `microsoft_ads.sign_in_${code}`, message, action: NOTHING_TO_DO }, { cause });
}

function codesOf({ cause }: oauth.ResponseBodyError): unknown[] {
  const codes: unknown = cause['error_codes'];
  return Array.isArray(codes) ? codes : [];
}
