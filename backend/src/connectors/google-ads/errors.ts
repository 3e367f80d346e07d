import { FixSettings, ReconnectNeeded, RetryLater, SkipAccount, type ConnectorError } from '../kit/errors.js';

type Consequence = 'retry' | 'wait' | 'reconnect' | 'skip' | 'fix';

interface ErrorMeaning {
  consequence: Consequence;
  message: string;
  action: string;
}

const nothingToDo = 'Nothing to do: it is tried again by itself';
const reconnect = 'Reconnect with Google';
const askOperator = 'Tell the operator of this installation';

const operator = (message: string): ErrorMeaning => ({ consequence: 'fix', message, action: askOperator });
const passing = (message: string): ErrorMeaning => ({ consequence: 'retry', message, action: nothingToDo });
const wait = (message: string): ErrorMeaning => ({ consequence: 'wait', message, action: nothingToDo });
const skip = (message: string, action: string): ErrorMeaning => ({ consequence: 'skip', message, action });
const dead = (message: string): ErrorMeaning => ({ consequence: 'reconnect', message, action: reconnect });

/** Google's `category.CODE` → what happens next. Source: googleapis/google/ads/googleads/v25/errors. */
export const errorMeanings: Record<string, ErrorMeaning> = {
  'authenticationError.OAUTH_TOKEN_EXPIRED': dead('The access to Google Ads has expired.'),
  'authenticationError.OAUTH_TOKEN_INVALID': dead('Google no longer accepts the stored access.'),
  'authenticationError.OAUTH_TOKEN_REVOKED': dead('The access was withdrawn in the Google account.'),
  'authenticationError.OAUTH_TOKEN_DISABLED': dead('An administrator of the Google account has switched this access off.'),
  'authenticationError.NOT_ADS_USER': dead('The connected Google user has no Google Ads account.'),
  'authenticationError.GOOGLE_ACCOUNT_DELETED': dead('The connected Google user no longer exists.'),
  'authenticationError.TWO_STEP_VERIFICATION_NOT_ENROLLED': dead(
    'Google asks the connected user to turn on 2-step verification first.',
  ),
  'authenticationError.ADVANCED_PROTECTION_NOT_ENROLLED': dead(
    'Google asks the connected user to turn on Advanced Protection first.',
  ),
  // From the front end of Google's APIs instead of Google Ads itself (google.api.ErrorReason).
  'errorInfo.ACCESS_TOKEN_EXPIRED': dead('The access to Google Ads has expired.'),
  'errorInfo.ACCESS_TOKEN_SCOPE_INSUFFICIENT': dead('The right to read Google Ads was not ticked when the app was connected.'),
  'errorInfo.SERVICE_DISABLED': operator(
    'The Google Ads API is not switched on in the Google Cloud project of this installation.',
  ),
  'authenticationError.CUSTOMER_NOT_FOUND': skip(
    'This ad account does not exist any more.',
    'Remove the account from the source',
  ),
  'authenticationError.CLIENT_CUSTOMER_ID_INVALID': skip(
    'Google does not know this ad account id.',
    'Remove the account from the source',
  ),
  'authorizationError.USER_PERMISSION_DENIED': skip(
    'The connected Google user may not see this ad account.',
    'Give the user access in Google Ads, or reconnect as a user who has it',
  ),
  'authorizationError.CUSTOMER_NOT_ENABLED': skip(
    'This ad account is not active: it was closed, or its set-up was never finished.',
    'Activate the account in Google Ads, or remove it from the source',
  ),
  'authorizationError.INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION': skip(
    'The manager account no longer leads to this ad account.',
    'List the accounts of the app again',
  ),
  'authorizationError.CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION': operator(
    'The Google Cloud project of this installation may read test accounts only.',
  ),
  'authorizationError.DEVELOPER_TOKEN_NOT_APPROVED': operator(
    'The Google Cloud project of this installation may read test accounts only.',
  ),
  'authorizationError.DEVELOPER_TOKEN_PROHIBITED': operator('Google does not let this installation read ad accounts.'),
  'authorizationError.PROJECT_DISABLED': operator('The Google Cloud project of this installation is switched off.'),
  'authorizationError.MISSING_TOS': operator('Google Ads terms of service have not been accepted for this installation.'),
  'requestError.CLOUD_PROJECT_NOT_FOUND': operator('The Google Cloud project of this installation does not exist.'),
  'requestError.UNSUPPORTED_VERSION': operator('Google has switched off the API version that this installation uses.'),
  'queryError.REQUESTED_METRICS_FOR_MANAGER': skip(
    'This is a manager account, which has no numbers of its own.',
    'Choose the accounts below it',
  ),
  'quotaError.RESOURCE_EXHAUSTED': wait('The daily quota of Google Ads is used up.'),
  'quotaError.RESOURCE_TEMPORARILY_EXHAUSTED': wait('Google Ads asks for a pause.'),
  'quotaError.EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION': wait('This account has been read too often in the last minutes.'),
  'quotaError.EXCESSIVE_LONG_TERM_QUERY_RESOURCE_CONSUMPTION': wait('This account has been read too often today.'),
  'quotaError.ACCESS_PROHIBITED': operator('Google does not give this installation any quota.'),
  'internalError.INTERNAL_ERROR': passing('Google Ads had a fault of its own.'),
  'internalError.TRANSIENT_ERROR': passing('Google Ads had a passing fault.'),
  'internalError.DEADLINE_EXCEEDED': passing('Google Ads took too long to answer.'),
};

/** By HTTP status, where the body says nothing we know. */
export const statusMeanings: Record<number, ErrorMeaning> = {
  401: dead('Google no longer accepts the stored access.'),
  403: skip('Google does not allow reading this ad account.', 'Give the connected user access in Google Ads'),
  404: operator('Google does not know the address that was asked; the API version or the base URL is wrong.'),
  429: wait('Google Ads asks for a pause.'),
  504: passing('Google Ads took too long to answer.'),
};

/** Queries are ours: a refused one is our mistake and no setting of the user mends it. */
const refusedQuery = operator('Google Ads refused the question that was asked. This is a mistake of the product.');
const unknown = passing('Google Ads answered with an error that is not known here.');

export interface ProviderFailure {
  status: number;
  /** `category.CODE`, or null when the body holds none. */
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
  switch (meaning.consequence) {
    case 'reconnect':
      return new ReconnectNeeded(detail);
    case 'skip':
      return new SkipAccount(detail);
    case 'fix':
      return new FixSettings(detail);
    default:
      return new RetryLater({
        ...detail,
        retryAfterSeconds: failure.retryAfterSeconds,
        failureClass: meaning.consequence === 'wait' ? 'quota' : 'transient',
      });
  }
}

function findMeaning({ code, status }: ProviderFailure): ErrorMeaning {
  const known = code === null ? undefined : errorMeanings[code];
  if (known) return known;
  if (code?.startsWith('queryError.') || code?.startsWith('fieldError.')) return refusedQuery;
  return statusMeanings[status] ?? unknown;
}
