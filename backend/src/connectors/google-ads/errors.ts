import type { ConnectorError } from '../kit/errors.js';
import { errorOf, operator, retry, skip, wait, waitAccount, type ErrorMeaning } from '../kit/error-table.js';

const reconnect = (message: string): ErrorMeaning => ({ consequence: 'reconnect', message, action: 'Reconnect with Google' });

/** Consequence of each Google error `category.CODE`. Source: googleapis/google/ads/googleads/v25/errors. */
export const errorMeanings: Record<string, ErrorMeaning> = {
  'authenticationError.OAUTH_TOKEN_EXPIRED': reconnect('Access to Google Ads has expired.'),
  'authenticationError.OAUTH_TOKEN_INVALID': reconnect('Google no longer accepts the stored access.'),
  'authenticationError.OAUTH_TOKEN_REVOKED': reconnect('Access was revoked in the Google account.'),
  'authenticationError.OAUTH_TOKEN_DISABLED': reconnect('An administrator of the Google account has disabled this access.'),
  'authenticationError.NOT_ADS_USER': reconnect('The connected Google user has no Google Ads account.'),
  'authenticationError.GOOGLE_ACCOUNT_DELETED': reconnect('The connected Google user no longer exists.'),
  'authenticationError.TWO_STEP_VERIFICATION_NOT_ENROLLED': reconnect(
    'Google requires 2-step verification for the connected user.',
  ),
  'authenticationError.ADVANCED_PROTECTION_NOT_ENROLLED': reconnect(
    'Google requires Advanced Protection for the connected user.',
  ),
  // Returned by Google's API gateway instead of Google Ads itself (google.api.ErrorReason).
  'errorInfo.ACCESS_TOKEN_EXPIRED': reconnect('Access to Google Ads has expired.'),
  'errorInfo.ACCESS_TOKEN_SCOPE_INSUFFICIENT': reconnect('Access to Google Ads was not granted when the app was connected.'),
  'errorInfo.SERVICE_DISABLED': operator('The Google Ads API is not enabled in the Google Cloud project of this installation.'),
  'authenticationError.CUSTOMER_NOT_FOUND': skip('This ad account no longer exists.', 'Remove the account from the source'),
  'authenticationError.CLIENT_CUSTOMER_ID_INVALID': skip(
    'Google found no ad account with this id.',
    'Remove the account from the source',
  ),
  'authorizationError.USER_PERMISSION_DENIED': skip(
    'The connected Google user has no access to this ad account.',
    'Give the user access in Google Ads, or reconnect as a user with access',
  ),
  'authorizationError.CUSTOMER_NOT_ENABLED': skip(
    'This ad account is not active. It was closed, or its setup is incomplete.',
    'Activate the account in Google Ads, or remove it from the source',
  ),
  'authorizationError.INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION': skip(
    'The manager account no longer has access to this ad account.',
    'Refresh the account list of the app',
  ),
  'authorizationError.CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION': operator(
    'The Google Cloud project of this installation can only read test accounts.',
  ),
  'authorizationError.DEVELOPER_TOKEN_NOT_APPROVED': operator(
    'The Google Cloud project of this installation can only read test accounts.',
  ),
  'authorizationError.DEVELOPER_TOKEN_PROHIBITED': operator('Google does not allow this installation to read ad accounts.'),
  'authorizationError.PROJECT_DISABLED': operator('The Google Cloud project of this installation is disabled.'),
  'authorizationError.MISSING_TOS': operator('Google Ads terms of service have not been accepted for this installation.'),
  'requestError.CLOUD_PROJECT_NOT_FOUND': operator('The Google Cloud project of this installation does not exist.'),
  'requestError.UNSUPPORTED_VERSION': operator('Google no longer supports the API version that this installation uses.'),
  'queryError.REQUESTED_METRICS_FOR_MANAGER': skip(
    'This is a manager account, which has no data of its own.',
    'Choose the accounts below it',
  ),
  'quotaError.RESOURCE_EXHAUSTED': wait('The daily quota of Google Ads is used up.'),
  'quotaError.RESOURCE_TEMPORARILY_EXHAUSTED': wait('Google Ads throttles requests.'),
  'quotaError.EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION': waitAccount(
    'This account has been read too often in the last minutes.',
  ),
  'quotaError.EXCESSIVE_LONG_TERM_QUERY_RESOURCE_CONSUMPTION': waitAccount('This account has been read too often today.'),
  'quotaError.ACCESS_PROHIBITED': operator('Google has assigned no quota to this installation.'),
  'internalError.INTERNAL_ERROR': retry('Google Ads had an internal error.'),
  'internalError.TRANSIENT_ERROR': retry('Google Ads had a temporary error.'),
  'internalError.DEADLINE_EXCEEDED': retry('Google Ads took too long to answer.'),
};

/** By HTTP status, for bodies without a known error. */
export const statusMeanings: Record<number, ErrorMeaning> = {
  401: reconnect('Google no longer accepts the stored access.'),
  403: skip('Google does not allow reading this ad account.', 'Give the connected user access in Google Ads'),
  404: operator('Google did not find the requested address. The API version or the base URL is wrong.'),
  429: wait('Google Ads throttles requests.'),
  504: retry('Google Ads took too long to answer.'),
};

/** Queries are built here, so a rejected one is a bug that no user setting can fix. */
const refusedQuery = operator('Google Ads rejected a query. This is a bug in Tributary.');
const unknown = retry('Google Ads returned an unknown error.');

export interface ProviderFailure {
  status: number;
  /** `category.CODE`, or null if the body contains none. */
  code: string | null;
  retryAfterSeconds: number | null;
  requestId: string | null;
}

export function toConnectorError(failure: ProviderFailure): ConnectorError {
  const meaning = findMeaning(failure);
  const detail = {
    code: `google_ads.${failure.code?.split('.')[1]?.toLowerCase() ?? `http_${failure.status}`}`,
    message: meaning.message,
    action: meaning.action,
    providerRequestId: failure.requestId,
  };
  return errorOf(meaning.consequence, detail, failure.retryAfterSeconds);
}

function findMeaning({ code, status }: ProviderFailure): ErrorMeaning {
  const known = code === null ? undefined : errorMeanings[code];
  if (known) return known;
  if (code?.startsWith('queryError.') || code?.startsWith('fieldError.')) return refusedQuery;
  return statusMeanings[status] ?? unknown;
}
