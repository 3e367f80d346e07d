import type { ConnectorError } from '../kit/errors.js';
import { errorOf, operator, retry, skip, tooLongAgo, wait, waitAccount, type ErrorMeaning } from '../kit/error-table.js';
import { installationErrors, refusalOfInstallation } from '../kit/google-refusals.js';

const reconnect = (message: string): ErrorMeaning => ({ consequence: 'reconnect', message, action: 'Reconnect with Google' });

const refused = reconnect('Google no longer accepts the stored access.');
const refusedAccount = skip('Google does not allow reading this ad account.', 'Give the connected user access in Google Ads');
const daysGone = tooLongAgo('Google Ads no longer has daily data of days more than 37 months ago.');
const notEnabled = skip(
  'This ad account is not active. It was closed, or its setup is incomplete.',
  'Activate the account in Google Ads, or remove it from the source',
);

/** Consequence of each Google error `category.CODE`. Source: googleapis/google/ads/googleads/v25/errors. */
export const errorMeanings: Record<string, ErrorMeaning> = {
  ...installationErrors,
  'authenticationError.AUTHENTICATION_ERROR': refused,
  'authenticationError.OAUTH_TOKEN_EXPIRED': reconnect('Access to Google Ads has expired.'),
  'authenticationError.OAUTH_TOKEN_INVALID': refused,
  'authenticationError.OAUTH_TOKEN_HEADER_INVALID': refused,
  'authenticationError.OAUTH_TOKEN_REVOKED': reconnect('Access was revoked in the Google account.'),
  'authenticationError.OAUTH_TOKEN_DISABLED': reconnect('An administrator of the Google account has disabled this access.'),
  'authenticationError.NOT_ADS_USER': reconnect('The connected Google user has no Google Ads account.'),
  'authenticationError.GOOGLE_ACCOUNT_DELETED': reconnect('The connected Google user no longer exists.'),
  'authenticationError.GOOGLE_ACCOUNT_COOKIE_INVALID': refused,
  'authenticationError.GOOGLE_ACCOUNT_AUTHENTICATION_FAILED': refused,
  'authenticationError.GOOGLE_ACCOUNT_USER_AND_ADS_USER_MISMATCH': refused,
  'authenticationError.LOGIN_COOKIE_REQUIRED': refused,
  'authenticationError.LOGIN_COOKIE_INVALID': refused,
  'authenticationError.INVALID_EMAIL_ADDRESS': refused,
  'authenticationError.USER_ID_INVALID': refused,
  'authenticationError.TWO_STEP_VERIFICATION_NOT_ENROLLED': reconnect(
    'Google requires 2-step verification for the connected user.',
  ),
  'authenticationError.ADVANCED_PROTECTION_NOT_ENROLLED': reconnect(
    'Google requires Advanced Protection for the connected user.',
  ),
  // Returned by Google's API gateway instead of Google Ads itself (google.api.ErrorReason).
  'errorInfo.ACCESS_TOKEN_EXPIRED': reconnect('Access to Google Ads has expired.'),
  'errorInfo.ACCESS_TOKEN_SCOPE_INSUFFICIENT': reconnect('Access to Google Ads was not granted when the app was connected.'),
  'authenticationError.CUSTOMER_NOT_FOUND': skip('This ad account no longer exists.', 'Remove the account from the source'),
  'authenticationError.CLIENT_CUSTOMER_ID_INVALID': skip(
    'Google found no ad account with this id.',
    'Remove the account from the source',
  ),
  'authorizationError.USER_PERMISSION_DENIED': skip(
    'The connected Google user has no access to this ad account.',
    'Give the user access in Google Ads, or reconnect as a user with access',
  ),
  'authorizationError.CUSTOMER_NOT_ENABLED': notEnabled,
  'authorizationError.INCOMPLETE_SIGNUP': notEnabled,
  'authorizationError.ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT': skip(
    'Google has suspended this ad account.',
    'Resolve the suspension in Google Ads, or remove the account from the source',
  ),
  'authorizationError.ACCESS_DENIED_FOR_ACCOUNT_TYPE': skip(
    'Google does not allow reading ad accounts of this type.',
    'Remove the account from the source',
  ),
  'authorizationError.AUTHORIZATION_ERROR': refusedAccount,
  'authorizationError.ACTION_NOT_PERMITTED': refusedAccount,
  'authorizationError.INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION': skip(
    'The manager account no longer has access to this ad account.',
    'Refresh the account list of the app',
  ),
  'queryError.REQUESTED_METRICS_FOR_MANAGER': skip(
    'This is a manager account, which has no data of its own.',
    'Choose the accounts below it',
  ),
  'dateRangeError.REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED': daysGone,
  // The same before version 24. Only this product builds the dates, so they are valid.
  'dateRangeError.INVALID_DATE': daysGone,
  'quotaError.RESOURCE_EXHAUSTED': wait('The daily quota of Google Ads is used up.'),
  'quotaError.RESOURCE_TEMPORARILY_EXHAUSTED': wait('Google Ads throttles requests.'),
  'quotaError.EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION': waitAccount(
    'This account has been read too often in the last minutes.',
  ),
  'quotaError.EXCESSIVE_LONG_TERM_QUERY_RESOURCE_CONSUMPTION': waitAccount('This account has been read too often today.'),
  'internalError.INTERNAL_ERROR': retry('Google Ads had an internal error.'),
  'internalError.TRANSIENT_ERROR': retry('Google Ads had a temporary error.'),
  'internalError.DEADLINE_EXCEEDED': retry('Google Ads took too long to answer.'),
};

/** By HTTP status, for bodies without a known error. */
export const statusMeanings: Record<number, ErrorMeaning> = {
  401: refused,
  403: refusedAccount,
  404: operator('Google did not find the requested address. The API version or the base URL is wrong.'),
  429: wait('Google Ads throttles requests.'),
  504: retry('Google Ads took too long to answer.'),
};

/** Queries are built here, so a rejected one is a bug that no user setting can fix. */
const refusedQuery = operator('Google Ads rejected a query. This is a bug in Tributary.');
const unknown = retry('Google Ads returned an unknown error.');
/** For calls without an account, which cannot skip one. */
const refusedList = operator('Google does not allow this installation to list ad accounts.');

/** Errors of one account. All others in a list of accounts may affect every account. */
export const isAboutAccount = ({ code }: ConnectorError): boolean => accountErrors.has(code);
const accountErrors = new Set([
  'google_ads.customer_not_enabled',
  'google_ads.customer_not_found',
  'google_ads.user_permission_denied',
  'google_ads.access_denied_for_account_type',
  'google_ads.incomplete_signup',
  'google_ads.action_not_permitted_for_suspended_account',
]);

export interface ProviderFailure {
  status: number;
  /** `category.CODE`, or null if the body contains none. */
  code: string | null;
  retryAfterSeconds: number | null;
  requestId: string | null;
}

/** `canSkip`: the call was for one account, which can be skipped while the others are read. */
export function toConnectorError(failure: ProviderFailure, canSkip = true): ConnectorError {
  const found = findMeaning(failure);
  const meaning = found.consequence === 'skip' && !canSkip ? refusedList : found;
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
  return refusalOfInstallation(code ?? '', status) ?? statusMeanings[status] ?? unknown;
}
