import { FixSettings, ReconnectNeeded, RetryLater, SkipAccount, type ConnectorError, type FailureDetail } from '../kit/errors.js';
import type { ProviderFailure } from './failure-body.js';

type Consequence = 'retry' | 'wait' | 'reconnect' | 'skip' | 'fix';

export interface ErrorMeaning {
  consequence: Consequence;
  message: string;
  action: string;
  /** For those that ask for patience, where Microsoft's answer does not say how long. */
  waitSeconds?: number;
}

export const nothingToDo = 'Nothing to do: it is tried again by itself';
export const reconnect = 'Reconnect with Microsoft';
const askOperator = 'Tell the operator of this installation';
const removeAccount = 'Remove the account from the source';

const operator = (message: string): ErrorMeaning => ({ consequence: 'fix', message, action: askOperator });
const passing = (message: string): ErrorMeaning => ({ consequence: 'retry', message, action: nothingToDo });
const wait = (message: string, waitSeconds: number): ErrorMeaning => ({
  consequence: 'wait',
  message,
  action: nothingToDo,
  waitSeconds,
});
const skip = (message: string, action: string): ErrorMeaning => ({ consequence: 'skip', message, action });
const dead = (message: string, action = reconnect): ErrorMeaning => ({ consequence: 'reconnect', message, action });

const CALL_RATE_SECONDS = 60;
const OTHER_REPORTS_SECONDS = 120;
/** What Microsoft's own libraries wait when a service is switched off and does not say for how long. */
const SERVICE_OFF_SECONDS = 3_600;

/** Microsoft's numeric code → what happens next. Source: guides/operation-error-codes, services-protocol. */
export const errorMeanings: Record<number, ErrorMeaning> = {
  0: passing('Microsoft Advertising had a fault of its own.'),
  105: dead('Microsoft Advertising does not accept the stored access, or does not know the connected user.'),
  106: skip(
    'The connected Microsoft user may not see this ad account.',
    'Give the user access in Microsoft Advertising, or reconnect as a user who has it',
  ),
  108: dead(
    'Microsoft has locked the connected user because of suspicious activity.',
    'Secure the Microsoft account, then reconnect',
  ),
  109: dead('The access to Microsoft Advertising has expired.'),
  117: wait('Microsoft Advertising asks for a pause: too many calls in a minute.', CALL_RATE_SECONDS),
  120: dead('The connected sign-in was merged into another one of the same person.', 'Reconnect with the primary sign-in'),
  122: dead('Microsoft Advertising wants a work account here.', 'Reconnect with a work account'),
  123: dead('Microsoft Advertising wants a personal Microsoft account here.', 'Reconnect with a personal Microsoft account'),
  124: dead('The connected personal account was replaced by a work account.', 'Reconnect with the work account'),
  125: dead('The organization allows work accounts only.', 'Reconnect with a work account'),
  126: dead('The connected kind of account is not the one registered for this address.', 'Reconnect with the registered account'),
  207: wait('As many reports of this user are being made as Microsoft Advertising allows.', OTHER_REPORTS_SECONDS),
  208: skip('Microsoft Advertising does not know this ad account.', removeAccount),
  2003: skip(
    'The connected Microsoft user may not read reports of this ad account.',
    'Give the user access in Microsoft Advertising, or reconnect as a user who has it',
  ),
  2004: passing('Microsoft Advertising has not finished counting these days.'),
  2035: skip('Microsoft Advertising does not know this ad account.', removeAccount),
  2100: passing('Microsoft Advertising no longer knows the report that was asked for.'),
  2101: passing('Microsoft Advertising no longer knows the report that was asked for.'),
};

/** The code 105 for a token that was made a moment ago: what goes with it is wrong, and no sign-in mends that. */
export const refusedDeveloperToken = (providerRequestId: string | null): FixSettings =>
  new FixSettings({
    code: 'microsoft_ads.developer_token_refused',
    message: "Microsoft Advertising does not accept this installation's developer token, or it belongs to another environment.",
    action: 'Tell the operator of this installation to check MICROSOFT_DEVELOPER_TOKEN',
    providerRequestId,
  });

/** The code 105 with this detail is about the account and not about the user. */
export const inactiveAccount = skip(
  'This ad account is not active: it was closed, or has not been used for long.',
  'Activate the account in Microsoft Advertising, or remove it from the source',
);

/** By HTTP status, where the body says nothing we know. */
export const statusMeanings: Record<number, ErrorMeaning> = {
  401: dead('Microsoft no longer accepts the stored access.'),
  403: skip('Microsoft does not allow reading this ad account.', 'Give the connected user access in Microsoft Advertising'),
  404: wait('This part of Microsoft Advertising is not available at present.', SERVICE_OFF_SECONDS),
  429: wait('Microsoft Advertising asks for a pause.', CALL_RATE_SECONDS),
  501: wait('This part of Microsoft Advertising is not available at present.', SERVICE_OFF_SECONDS),
};

/** Requests are ours: a refused one is our mistake and no setting of the user mends it. */
export const refusedRequest = operator(
  'Microsoft Advertising refused the question that was asked. This is a mistake of the product.',
);
const unknown = passing('Microsoft Advertising answered with an error that is not known here.');
/** Where no account was asked for there is none to be skipped. */
const refusedUser = dead('The connected Microsoft user may not list ad accounts.');

/** `isAboutAccount`: an account was asked for, which can be left out while the others are read. */
export function toConnectorError(failure: ProviderFailure, isAboutAccount: boolean): ConnectorError {
  const found = findMeaning(failure);
  const meaning = found.consequence === 'skip' && !isAboutAccount ? refusedUser : found;
  const detail = {
    code: `microsoft_ads.${failure.symbol ?? `http_${failure.status}`}`,
    message: meaning.message,
    action: meaning.action,
    providerRequestId: failure.requestId,
  };
  return toError(meaning, detail, failure.retryAfterSeconds ?? meaning.waitSeconds ?? null);
}

function toError(meaning: ErrorMeaning, detail: FailureDetail, retryAfterSeconds: number | null): ConnectorError {
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
        retryAfterSeconds,
        failureClass: meaning.consequence === 'wait' ? 'quota' : 'transient',
      });
  }
}

function findMeaning({ code, status, isAccountInactive }: ProviderFailure): ErrorMeaning {
  if (code === 105 && isAccountInactive) return inactiveAccount;
  const known = code === null ? statusMeanings[status] : errorMeanings[code];
  if (known) return known;
  // 100 to 299: the request itself; 2001 to 2099: the report that it asks for.
  const isOurMistake = code !== null && ((code >= 100 && code < 300) || (code > 2_000 && code < 2_100));
  return isOurMistake ? refusedRequest : (statusMeanings[status] ?? unknown);
}
