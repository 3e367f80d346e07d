export type Consequence = 'retry' | 'wait' | 'split' | 'reconnect' | 'skip' | 'fix';

export interface ErrorMeaning {
  /** What stands after `meta_ads.` in the error's code. */
  name: string;
  consequence: Consequence;
  message: string;
  action: string;
}

const nothingToDo = 'Nothing to do: it is tried again by itself';
const reconnect = 'Reconnect with Meta';
const askOperator = 'Tell the operator of this installation';
const giveAccess = 'Give the connected user access in Meta Business settings, or reconnect as a user who has it';

const dead = (name: string, message: string): ErrorMeaning => ({ name, consequence: 'reconnect', message, action: reconnect });
const skip = (name: string, message: string, action = giveAccess): ErrorMeaning => ({
  name,
  consequence: 'skip',
  message,
  action,
});
const passing = (name: string, message: string): ErrorMeaning => ({ name, consequence: 'retry', message, action: nothingToDo });
const wait = (name: string, message: string): ErrorMeaning => ({ name, consequence: 'wait', message, action: nothingToDo });
const operator = (name: string, message: string, action = askOperator): ErrorMeaning => ({
  name,
  consequence: 'fix',
  message,
  action,
});
const split = (name: string, message: string): ErrorMeaning => ({
  name,
  consequence: 'split',
  message,
  action: 'Nothing to do: it is read in smaller parts',
});

const accountBusy = 'This ad account has been read too often within the last hour.';
const appBusy = 'Meta asks this installation for a pause.';
const userBusy = 'Meta asks for a pause: too many calls in the name of the connected user.';

/**
 * `code/subcode`, or `code` for all its other subcodes → what happens next. Sources: Graph API, "Handle errors"; Marketing
 * API, "Error codes", "Insights, error codes" and "Rate limiting".
 */
export const errorMeanings: Record<string, ErrorMeaning> = {
  '190/458': dead('app_removed', 'The app was removed in the Facebook settings of the connected user.'),
  '190/459': dead(
    'checkpoint',
    'Facebook asks the connected user to log in to facebook.com and to follow its instructions first.',
  ),
  '190/460': dead(
    'password_changed',
    'The connected user has changed the password, or Facebook has ended the session for safety.',
  ),
  '190/463': dead('token_expired', 'The access to Meta Ads has expired.'),
  '190/464': dead('user_unconfirmed', 'Facebook has not confirmed the connected user.'),
  '190/467': dead('token_invalid', 'Meta has made the stored access invalid, as after a log-out everywhere.'),
  '190': dead('token_refused', 'Meta no longer accepts the stored access.'),
  '102': dead('session_ended', 'The session of the connected user has ended.'),
  '3': skip('no_capability', 'Meta does not let this app make this call.'),
  '10': skip('permission_denied', 'The connected user has not given the permission that this needs.'),
  '100/33': skip(
    'account_unknown',
    'This ad account is closed, or the connected user may not see it.',
    'Give the connected user access again, or remove the account from the source',
  ),
  '100/3191001': skip('report_forbidden', 'The connected user may not read reports of this ad account.'),
  '200': skip('account_forbidden', 'The owner of this ad account has not let the connected user read it.'),
  '294': skip('ads_permission_missing', 'The permission to read ads was not given for this account.'),
  '4': wait('app_limit', appBusy),
  '4/1504022': wait('insights_limit', 'Meta asks for a pause: too many reports of all its users at the moment.'),
  '4/1504039': wait('insights_limit', 'Meta asks for a pause: too many reports of this installation.'),
  '17': wait('user_limit', userBusy),
  '17/2446079': wait('account_limit', accountBusy),
  '32': wait('page_limit', userBusy),
  '341': wait('app_limit', appBusy),
  '368': wait('blocked_for_policy', 'Meta has blocked this for a while, because it finds its policies broken.'),
  '613': wait('custom_limit', accountBusy),
  '613/1487742': wait('account_limit', accountBusy),
  '80000': wait('account_limit', accountBusy),
  '-3/1504045': split('report_too_large', 'Meta finds this report too large.'),
  '100/1487534': split('too_much_per_call', 'Meta finds this report too large for one call.'),
  '100/1504018': split('report_timed_out', 'Meta took too long over this report.'),
  '2/1504038': split('report_timed_out', 'Meta took too long over this report.'),
  '-2/2490547': passing('report_failed', 'Meta could not finish this report.'),
  '-1': passing('passing_fault', 'Meta had a passing fault.'),
  '1': passing('unknown_fault', 'Meta had a fault of its own.'),
  '2': passing('service_unavailable', 'Meta was not available for a moment.'),
  '2/1504043': passing('report_passing_fault', 'Meta had a passing fault over this report.'),
  '2/1504044': passing('report_unknown_fault', 'Meta had a fault of its own over this report.'),
  '2601': passing('report_not_ready', 'The report was not ready at Meta although it was said to be.'),
  '2/1504041': operator(
    'breakdowns_refused',
    'Meta refused the breakdowns that were asked for. This is a mistake of the product.',
  ),
  '2/1504042': operator('metrics_refused', 'Meta refused the metrics that were asked for. This is a mistake of the product.'),
  '100': operator('request_refused', 'Meta refused the question that was asked. This is a mistake of the product.'),
  '2500': operator('path_refused', 'Meta does not know the address that was asked; the API version or the base URL is wrong.'),
  '2635': operator('version_ended', 'Meta has switched off the API version that this installation uses.'),
  '3018': {
    name: 'too_long_ago',
    consequence: 'fix',
    message: 'Meta gives no reports of days more than 37 months ago.',
    action: 'Choose a later first day for this source',
  },
};

/** Code 1 with this text, which fewer rows in a page avoid (facebook-python-business-sdk #470, #594; airbyte, `reduce_request_record_limit`). */
export const tooMuchData = split('too_much_data', 'Meta finds this report too large even in small pages.');
export const TOO_MUCH_DATA_TEXT = 'reduce the amount of data';

/** The text of Meta alone tells this apart from other wrong parameters. */
export const wrongProof = operator(
  'app_secret_wrong',
  'Meta does not accept the app secret of this installation.',
  'Tell the operator of this installation to check META_APP_SECRET',
);

/** By HTTP status, where the body says nothing we know. */
export const statusMeanings: Record<number, ErrorMeaning> = {
  401: dead('http_401', 'Meta no longer accepts the stored access.'),
  403: skip('http_403', 'Meta does not allow reading this ad account.'),
  404: operator('http_404', 'Meta does not know the address that was asked; the API version or the base URL is wrong.'),
  429: wait('http_429', appBusy),
};

export const unknownMeaning = passing('unknown_error', 'Meta answered with an error that is not known here.');

/** Codes that only differ in what they are about: 80000 to 80014 are limits by use case, 200 to 299 permissions. */
export function meaningOfRange(code: number): ErrorMeaning | undefined {
  if (code >= 80_000 && code <= 80_014) return errorMeanings['80000'];
  if (code >= 200 && code <= 299) return errorMeanings['200'];
  return code < 0 ? errorMeanings['-1'] : undefined;
}
