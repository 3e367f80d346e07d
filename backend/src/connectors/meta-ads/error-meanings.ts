import * as table from '../kit/error-table.js';

export interface ErrorMeaning extends table.ErrorMeaning {
  /** Suffix of the error's code after `meta_ads.`. */
  name: string;
}

const giveAccess = 'Give the connected user access in Meta Business settings, or reconnect as a user with access';

const retry = (name: string, message: string): ErrorMeaning => ({ name, ...table.retry(message) });
const wait = (name: string, message: string): ErrorMeaning => ({ name, ...table.wait(message) });
const waitAccount = (name: string, message: string): ErrorMeaning => ({ name, ...table.waitAccount(message) });
const skip = (name: string, message: string, action = giveAccess): ErrorMeaning => ({ name, ...table.skip(message, action) });
const operator = (name: string, message: string, action?: string): ErrorMeaning => ({ name, ...table.operator(message, action) });
const reconnect = (name: string, message: string): ErrorMeaning => ({
  name,
  consequence: 'reconnect',
  message,
  action: 'Reconnect with Meta',
});
const split = (name: string, message: string): ErrorMeaning => ({
  name,
  consequence: 'split',
  message,
  action: 'No action needed: it is read in smaller parts automatically',
});

const CHECK_APP = "Ask the operator of this installation to check the app in Meta's app dashboard";

const accountBusy = 'This ad account was read too often within the last hour.';
const appBusy = 'Meta throttles requests of this installation.';
const userBusy = 'Meta throttles requests: too many calls for the connected user.';

/**
 * Consequence of each error `code/subcode`, or of `code` for all its other subcodes. Sources: Graph API, "Handle errors";
 * Marketing API, "Error codes", "Insights, error codes" and "Rate limiting".
 */
export const errorMeanings: Record<string, ErrorMeaning> = {
  '190/458': reconnect('app_removed', 'The app was removed in the Facebook settings of the connected user.'),
  '190/459': reconnect(
    'checkpoint',
    'Facebook requires the connected user to log in to facebook.com and follow its instructions.',
  ),
  '190/460': reconnect(
    'password_changed',
    'The connected user changed the password, or Facebook ended the session for security.',
  ),
  '190/463': reconnect('token_expired', 'Access to Meta Ads has expired.'),
  '190/464': reconnect('user_unconfirmed', 'Facebook has not confirmed the connected user.'),
  '190/467': reconnect('token_invalid', 'Meta invalidated the stored access, for example after a logout on all devices.'),
  '190': reconnect('token_refused', 'Meta no longer accepts the stored access.'),
  '102': reconnect('session_ended', 'The session of the connected user has ended.'),
  '3': operator('no_capability', 'Meta does not allow the app of this installation to make this call.', CHECK_APP),
  '10': skip('permission_denied', 'The connected user has not granted the required permission.'),
  '100/33': skip(
    'account_unknown',
    'This ad account is closed, or the connected user has no access to it.',
    'Give the connected user access again, or remove the account from the source',
  ),
  '100/3191001': skip('report_forbidden', 'The connected user has no permission to read reports of this ad account.'),
  '200': skip('account_forbidden', 'The owner of this ad account has not granted access to the connected user.'),
  '294': skip('ads_permission_missing', 'The permission to read ads was not granted for this account.'),
  '4': wait('app_limit', appBusy),
  '4/1504022': wait('insights_limit', 'Meta throttles requests: too many reports of all its users.'),
  '4/1504039': wait('insights_limit', 'Meta throttles requests: too many reports of this installation.'),
  '17': wait('user_limit', userBusy),
  '17/2446079': waitAccount('account_limit', accountBusy),
  '32': wait('page_limit', userBusy),
  '341': wait('app_limit', appBusy),
  '368': wait('blocked_for_policy', 'Meta temporarily blocked this because of a policy violation.'),
  '613': waitAccount('custom_limit', accountBusy),
  '613/1487742': waitAccount('account_limit', accountBusy),
  '80000': waitAccount('account_limit', accountBusy),
  '-3/1504045': split('report_too_large', 'This report is too large for Meta.'),
  '100/1487534': split('too_much_per_call', 'This report is too large for one call to Meta.'),
  '100/1504018': split('report_timed_out', 'This report timed out at Meta.'),
  '2/1504038': split('report_timed_out', 'This report timed out at Meta.'),
  '-2/2490547': retry('report_failed', 'Meta could not finish this report.'),
  '-1': retry('passing_fault', 'Meta had a temporary error.'),
  '1': retry('unknown_fault', 'Meta had an internal error.'),
  '2': retry('service_unavailable', 'Meta was temporarily unavailable.'),
  '2/1504043': retry('report_passing_fault', 'Meta had a temporary error with this report.'),
  '2/1504044': retry('report_unknown_fault', 'Meta had an internal error with this report.'),
  '2601': retry('report_not_ready', 'Meta returned a report as ready before it was.'),
  '2/1504041': operator('breakdowns_refused', 'Meta rejected the requested breakdowns. This is a bug in Tributary.'),
  '2/1504042': operator('metrics_refused', 'Meta rejected the requested metrics. This is a bug in Tributary.'),
  '100': operator('request_refused', 'Meta rejected a request. This is a bug in Tributary.'),
  '2500': operator('path_refused', 'Meta did not find the requested address. The API version or the base URL is wrong.'),
  '2635': operator('version_ended', 'Meta no longer supports the API version that this installation uses.'),
  '3018': {
    name: 'too_long_ago',
    ...table.tooLongAgo('Meta returns no reports for days more than 37 months ago.'),
  },
};

/**
 * Code 1 with this text. Smaller pages avoid it (facebook-python-business-sdk #470, #594; airbyte,
 * `reduce_request_record_limit`).
 */
export const tooMuchData = split('too_much_data', 'This report is too large for Meta, even in small pages.');
export const TOO_MUCH_DATA_TEXT = 'reduce the amount of data';
/** Code 1 with HTTP 500 and any other text: a fault of Meta, or a page that is too large (airbyte #25383). */
export const internalError = retry('internal_error', 'Meta had an internal error, even with small pages.');

/**
 * The rows of a complete report run, although its fields were requested. Passes at random (airbyte,
 * `is_transient_cannot_include_error`; tap-facebook #239; facebook-python-business-sdk #664, #667).
 */
const fieldsLost = retry('report_fields_lost', 'Meta returned a report without its columns.');

/** One account (airbyte, `TestRealErrors`). */
const permissionMissing = skip('permission_missing', 'The connected user has no permission to read this ad account.');

/** Only Meta's text distinguishes these from other wrong parameters. */
export function meaningOfParameterText(text: string): ErrorMeaning | undefined {
  if (text.includes('appsecret_proof')) return wrongProof;
  if (/Cannot include .* in summary param/s.test(text)) return fieldsLost;
  return text.includes('Missing permissions') ? permissionMissing : undefined;
}

/** Errors with code 200 that concern all accounts. Only Meta's text distinguishes them from an account without permission. */
export function meaningOfPermissionText(text: string): ErrorMeaning | undefined {
  if (text.includes('API access blocked')) return appBlocked;
  return text.includes('on behalf of this user') ? userRefused : undefined;
}

/** Meta restricts the app, for example because its Data Use Checkup is overdue. The text is from public reports of users. */
const appBlocked = operator('app_blocked', 'Meta has blocked the app of this installation.', CHECK_APP);
/** Also transient (facebook-java-business-sdk #272). */
const userRefused = retry('user_refused', 'Meta does not accept calls for the connected user at present.');

const wrongProof = operator(
  'app_secret_wrong',
  'Meta rejected the app secret of this installation.',
  'Ask the operator of this installation to check META_APP_SECRET',
);

/** By HTTP status, for bodies without a known error. */
export const statusMeanings: Record<number, ErrorMeaning> = {
  401: reconnect('http_401', 'Meta no longer accepts the stored access.'),
  403: skip('http_403', 'Meta does not allow reading this ad account.'),
  404: operator('http_404', 'Meta did not find the requested address. The API version or the base URL is wrong.'),
  429: wait('http_429', appBusy),
};

export const unknownMeaning = retry('unknown_error', 'Meta returned an unknown error.');

/** Ranges of codes with the same consequence: 80000 to 80014 are limits by use case, 200 to 299 permissions. */
export function meaningOfRange(code: number): ErrorMeaning | undefined {
  if (code >= 80_000 && code <= 80_014) return errorMeanings['80000'];
  if (code >= 200 && code <= 299) return errorMeanings['200'];
  return code < 0 ? errorMeanings['-1'] : undefined;
}
