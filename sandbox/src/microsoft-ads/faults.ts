import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultDescription, Faults, Occasion } from '../faults.ts';
import type { Exchange } from '../router.ts';
import { ApiFault, internalError, invalidCredentials, notAuthorized } from './errors.ts';

export const microsoftAdsFaults: Record<string, FaultDescription> = {
  expire_token: {
    what: 'Access tokens issued so far answer 401 AuthenticationTokenExpired (109); refreshing works. Optional: user',
  },
  revoke: { what: 'Tokens issued so far are invalid: refresh answers AADSTS70000, calls answer 105. Optional: user' },
  spurious_invalid_grant: { what: 'Refreshing a valid token answers AADSTS70000 all the same. Optional: user' },
  interaction_required: { what: 'Refreshing tokens issued so far answers AADSTS50076 (second factor). Optional: user' },
  no_refresh_token: { what: 'A code is exchanged for an access token alone. Optional: user' },
  throttle: { what: '429 CallRateExceeded (117)' },
  concurrent_limit: { what: 'Submitting a report answers ConcurrentRequestOverLimit (207)' },
  slow: { what: 'Answers come late. Optional: delayMs (default 2000)' },
  server_error: { what: '500 InternalError (0)' },
  unavailable: { what: '503' },
  drop_connection: { what: 'The connection ends without an answer' },
  permission: { what: '403 UserIsNotAuthorized (106) for an account', required: ['accountId'] },
  not_authorized: {
    what: '403 UserIsNotAuthorized (106) for a call without an account. event: user, accounts or customers',
    required: ['event'],
  },
  credentials_unexplained: { what: '401 InvalidCredentials (105) without a Detail' },
  account_inactive: { what: '401 InvalidCredentials (105), AccountInactive, for an account', required: ['accountId'] },
  never_finishes: { what: 'Reports stay Pending' },
  slow_report: { what: 'A report is Pending for longer. Optional: polls (default 5)' },
  report_error: { what: 'A report ends with the status Error' },
  lost_report: { what: 'Polling answers ReportingServiceReportNotFound (2101)' },
  expired_url: { what: 'The address of a finished report has already expired: downloading answers 403' },
  truncate_zip: { what: 'The file of a report is truncated. Optional: abort (true: the connection breaks as well)' },
  truncate_rows: { what: 'A report lacks its last rows; its own count of rows stays correct. Optional: rows (default 5)' },
  repeat_rows: { what: 'A report has its last rows twice; its own count of rows stays correct. Optional: rows (default 5)' },
  repeat_page: { what: 'A page of accounts is sent again instead of the next one' },
  new_time_zone: { what: 'Accounts are listed with a time zone that no published list has. Optional: accountId' },
  reject_conversions: {
    what: 'Uploaded rows are rejected by a partial error. Optional: errorCode (default OfflineConversionsApplyFailed), everyNth (default 1)',
  },
  drop_conversions: {
    what: 'Uploaded rows are acknowledged without an error and lost. They are in no report. Optional: everyNth (default 1)',
  },
  fail_after_applying: {
    what: 'Conversions are stored and then answered with 500. Optional: drop (true: not answered at all), endpoint (uet)',
  },
  late_conversion_report: { what: 'Reports of conversions lack the uploads of the last days. Optional: days (default 3)' },
  guide_key_format: {
    what: 'UetTagAuthKey/Query has the names of the guide: TagId and TagAuthKey.AuthKey instead of UetTagId and UetTagAuthKey',
  },
  fewer_events_received: {
    what: 'With endpoint uet: the first valid events are lost, and eventsReceived does not count them. Optional: missing (default 1)',
  },
  reject_events: { what: 'With endpoint uet: the first events of a request are invalid. Optional: count (default 12)' },
  count_repeated_events: {
    what: 'With endpoint uet: events with a known name and id count again. How long Microsoft compares them is not documented',
  },
  renew_key: { what: 'The tag gets a new key now; the old one is 401', required: ['tagId'], isEvent: true },
  restate: {
    what: 'The numbers of past days change now, and some rows are removed or added',
    required: ['accountId', 'from', 'to'],
    isEvent: true,
  },
};

const provider = 'microsoft-ads';

/** The active fault, recorded in the request log. */
export function strike(faults: Faults, exchange: Exchange, name: string, occasion: Occasion): Fault | undefined {
  const fault = faults.strike(provider, name, occasion);
  if (fault) exchange.log.fault = fault.fault;
  return fault;
}

/** Faults of the token endpoint that depend on the token. They name no endpoint. */
export function strikeToken(faults: Faults, exchange: Exchange, name: string, user: string): boolean {
  return strike(faults, exchange, name, { endpoint: 'api', user }) !== undefined;
}

/** Faults applied before the request is read. False: the connection is closed. */
export async function strikeEarly(faults: Faults, exchange: Exchange, occasion: Occasion): Promise<boolean> {
  const slow = strike(faults, exchange, 'slow', occasion);
  if (slow) await delay(numberOf(slow, 'delayMs', 2_000));
  if (strike(faults, exchange, 'drop_connection', occasion)) {
    exchange.response.destroy();
    return false;
  }
  if (strike(faults, exchange, 'unavailable', occasion)) throw internalError(503);
  if (strike(faults, exchange, 'server_error', occasion)) throw internalError(500);
  if (strike(faults, exchange, 'throttle', occasion)) throw callRateExceeded();
  return true;
}

/** For calls without an account. */
export function strikeUser(faults: Faults, exchange: Exchange, occasion: Occasion): void {
  if (strike(faults, exchange, 'not_authorized', occasion)) throw notAuthorized();
  if (strike(faults, exchange, 'credentials_unexplained', occasion)) throw invalidCredentials(null);
}

export function strikeAccount(faults: Faults, exchange: Exchange, occasion: Occasion): void {
  if (strike(faults, exchange, 'permission', occasion)) throw notAuthorized();
  if (strike(faults, exchange, 'account_inactive', occasion)) throw invalidCredentials('AccountInactive');
  if (strike(faults, exchange, 'credentials_unexplained', occasion)) throw invalidCredentials(null);
}

export function numberOf(fault: Fault, name: string, otherwise: number): number {
  const value = fault.parameters[name];
  return typeof value === 'number' ? value : otherwise;
}

function callRateExceeded(): ApiFault {
  const message =
    'You have exceeded the number of calls that you are allowed to make in a minute. Please reduce the number of calls that you make per minute.';
  return new ApiFault(429, 117, 'CallRateExceeded', message);
}
