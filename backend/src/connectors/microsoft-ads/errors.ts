import { FixSettings, ReconnectNeeded, type ConnectorError } from '../kit/errors.js';
import { errorOf, operator, retry, skip, tooLongAgo, wait, type ErrorMeaning } from '../kit/error-table.js';
import type { ProviderFailure } from '../kit/microsoft-failure.js';

/**
 * `waitSeconds`: for errors without a wait time in Microsoft's answer. `name`: if one code of Microsoft has several meanings, the
 * suffix of the error's code.
 */
type MicrosoftErrorMeaning = ErrorMeaning & { waitSeconds?: number; name?: string };

export const RECONNECT = 'Reconnect with Microsoft';
const removeAccount = 'Remove the account from the source';

const waitFor = (message: string, waitSeconds: number): MicrosoftErrorMeaning => ({ ...wait(message), waitSeconds });
const reconnect = (message: string, action = RECONNECT): ErrorMeaning => ({ consequence: 'reconnect', message, action });

const CALL_RATE_SECONDS = 60;
const OTHER_REPORTS_SECONDS = 120;
/** Default of Microsoft's own libraries if a service is unavailable and returns no wait time. */
const SERVICE_OFF_SECONDS = 3_600;

/** A published time zone and the real one differ by an hour at most. */
const DAY_BEGINS_SECONDS = 900;

/** Every date is built here, so only its age can be wrong. */
const noLongerAvailable = tooLongAgo('Microsoft Advertising no longer has daily reports of days more than 36 months ago.');

/** Consequence of each of Microsoft's numeric codes. Source: guides/operation-error-codes, services-protocol. */
export const errorMeanings: Record<number, MicrosoftErrorMeaning> = {
  0: retry('Microsoft Advertising had an internal error.'),
  105: reconnect('Microsoft Advertising rejected the stored access.'),
  106: skip(
    'The connected Microsoft user has no access to this ad account.',
    'Give the user access in Microsoft Advertising, or reconnect as a user with access',
  ),
  108: reconnect(
    'Microsoft has locked the connected user because of suspicious activity.',
    'Secure the Microsoft account, then reconnect',
  ),
  109: reconnect('Access to Microsoft Advertising has expired.'),
  117: waitFor('Microsoft Advertising throttles requests: too many calls per minute.', CALL_RATE_SECONDS),
  119: skip('Microsoft Advertising did not find this ad account.', removeAccount),
  120: reconnect(
    'The connected sign-in was merged into another sign-in of the same person.',
    'Reconnect with the primary sign-in',
  ),
  122: reconnect('Microsoft Advertising requires a work account.', 'Reconnect with a work account'),
  123: reconnect('Microsoft Advertising requires a personal Microsoft account.', 'Reconnect with a personal Microsoft account'),
  124: reconnect('The connected personal account was replaced by a work account.', 'Reconnect with the work account'),
  125: reconnect('The organization allows work accounts only.', 'Reconnect with a work account'),
  126: reconnect(
    'The connected account type differs from the one registered for this address.',
    'Reconnect with the registered account',
  ),
  207: waitFor('Too many reports of this user are in progress at Microsoft Advertising.', OTHER_REPORTS_SECONDS),
  208: skip('Microsoft Advertising did not find this ad account.', removeAccount),
  1001: reconnect('Microsoft Advertising accepts only a work account of this organization.', 'Reconnect with a work account'),
  2003: skip(
    'The connected Microsoft user has no permission to read reports of this ad account.',
    'Give the user access in Microsoft Advertising, or reconnect as a user with access',
  ),
  2004: retry('Microsoft Advertising has not finished processing these days.'),
  2009: noLongerAvailable,
  2010: { ...retry('This day has not begun at Microsoft Advertising yet.'), waitSeconds: DAY_BEGINS_SECONDS },
  2035: skip('Microsoft Advertising did not find this ad account.', removeAccount),
  2100: retry('Microsoft Advertising did not find the requested report.'),
  2101: retry('Microsoft Advertising did not find the requested report.'),
};

const wrongDeveloperToken = {
  message: "Microsoft Advertising rejected this installation's developer token. It may belong to another environment.",
  action: 'Ask the operator of this installation to check MICROSOFT_DEVELOPER_TOKEN',
};

/** Code 105 for a new token of a known user: the developer token is wrong, and a new sign-in cannot fix it. */
export const refusedDeveloperToken = (providerRequestId: string | null): FixSettings =>
  new FixSettings({ ...wrongDeveloperToken, code: 'microsoft_ads.developer_token_refused', providerRequestId });

/** The same without a detail. */
export const refusedCredentials = (providerRequestId: string | null): FixSettings =>
  new FixSettings({
    code: 'microsoft_ads.credentials_refused',
    message:
      'Microsoft Advertising rejected the sign-in without a reason. Either this Microsoft user has no Microsoft Advertising account, ' +
      "or this installation's developer token is wrong.",
    action:
      'Reconnect with a Microsoft user of Microsoft Advertising, or ask the operator of this installation to check MICROSOFT_DEVELOPER_TOKEN',
    providerRequestId,
  });

/** Meanings that only the detail of codes 105 and 106 tells. */
const unknownUser: MicrosoftErrorMeaning = {
  ...reconnect(
    'This Microsoft user has no Microsoft Advertising account.',
    'Reconnect with a Microsoft user of Microsoft Advertising',
  ),
  name: 'user_not_found',
};
const unexplained: MicrosoftErrorMeaning = {
  ...reconnect('Microsoft Advertising rejected the stored access or does not have the connected user.'),
  name: 'credentials_refused',
};
const unknownDeveloper: MicrosoftErrorMeaning = {
  ...operator(wrongDeveloperToken.message, wrongDeveloperToken.action),
  name: 'developer_token_refused',
};

/** With this detail, code 105 refers to the account and not to the user. */
export const inactiveAccount = skip(
  'This ad account is not active. It was closed, or was unused for a long time.',
  'Activate the account in Microsoft Advertising, or remove it from the source',
);

/** By HTTP status, for bodies without a known error. */
export const statusMeanings: Record<number, MicrosoftErrorMeaning> = {
  401: reconnect('Microsoft no longer accepts the stored access.'),
  403: skip('Microsoft does not allow reading this ad account.', 'Give the connected user access in Microsoft Advertising'),
  404: waitFor('This part of Microsoft Advertising is currently unavailable.', SERVICE_OFF_SECONDS),
  429: waitFor('Microsoft Advertising throttles requests.', CALL_RATE_SECONDS),
  501: waitFor('This part of Microsoft Advertising is currently unavailable.', SERVICE_OFF_SECONDS),
};

/** Requests are built here, so a rejected one is a bug that no user setting can fix. */
export const refusedRequest = operator('Microsoft Advertising rejected a request. This is a bug in Tributary.');
const unknown = retry('Microsoft Advertising returned an unknown error.');
/** For calls without an account, which cannot skip one. */
const refusedUser = reconnect('The connected Microsoft user has no permission to list ad accounts.');

/** Whether a call without an account was refused because of the user's permissions, and not because of the token. */
export const isRefusedUser = (error: unknown): boolean =>
  error instanceof ReconnectNeeded && error.message === refusedUser.message;

/** `isAboutAccount`: the call was for one account, which can be skipped while the others are read. */
export function toConnectorError(failure: ProviderFailure, isAboutAccount: boolean): ConnectorError {
  const found = findMeaning(failure);
  const meaning: MicrosoftErrorMeaning = found.consequence === 'skip' && !isAboutAccount ? refusedUser : found;
  const detail = {
    code: `microsoft_ads.${meaning.name ?? failure.symbol ?? `http_${failure.status}`}`,
    message: meaning.message,
    action: meaning.action,
    providerRequestId: failure.requestId,
  };
  return errorOf(meaning.consequence, detail, failure.retryAfterSeconds ?? meaning.waitSeconds ?? null);
}

function findMeaning(failure: ProviderFailure): MicrosoftErrorMeaning {
  const { code, status } = failure;
  const known = detailedMeaning(failure) ?? (code === null ? statusMeanings[status] : errorMeanings[code]);
  if (known) return known;
  // 100 to 299: the request itself; 2001 to 2099: the requested report.
  const isOurMistake = code !== null && ((code >= 100 && code < 300) || (code > 2_000 && code < 2_100));
  return isOurMistake ? refusedRequest : (statusMeanings[status] ?? unknown);
}

function detailedMeaning(failure: ProviderFailure): MicrosoftErrorMeaning | undefined {
  if (failure.code === 106) return failure.isDeveloperUnknown ? unknownDeveloper : undefined;
  if (failure.code !== 105) return undefined;
  if (failure.isAccountInactive) return inactiveAccount;
  if (failure.isUserUnknown) return unknownUser;
  return failure.hasDetail ? undefined : unexplained;
}
