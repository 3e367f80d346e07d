import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultDescription, Faults, Occasion } from '../faults.ts';
import { sendHtml, type Exchange } from '../router.ts';
import {
  badParameter,
  GraphError,
  notGranted,
  refusedApp,
  timedOut,
  tooMuchForOnePage,
  unknownError,
  unknownObject,
} from './errors.ts';

export const metaAdsFaults: Record<string, FaultDescription> = {
  expire_token: {
    what: 'Tokens issued so far answer 190/463 and cannot be exchanged: only signing in again helps. Optional: user',
  },
  revoke: {
    what: 'Tokens issued so far answer 190/458. Optional: user, subcode (459 checkpoint, 460 password changed, 464, 467)',
  },
  throttle: { what: 'Code 80000, with estimated_time_to_regain_access in the headers. Optional: waitMinutes (default 1)' },
  load: { what: 'The usage headers show at least this percentage. Optional: percent (default 90)' },
  slow: { what: 'Answers come late. Optional: delayMs (default 2000)' },
  hold: { what: 'Requests are processed only after this is cleared' },
  server_error: { what: '500 with code 2, transient' },
  bad_gateway: { what: '502 of the gateway, in HTML' },
  client_refused: { what: 'Code 101: the app ID or secret of the client is not accepted. For the endpoint token' },
  app_blocked: {
    what: 'Code 200 for every call, also that of the endpoint token: Meta restricts the app. Optional: reason (capability: code 3, owner: as for an account, behalf: "Cannot call API on behalf of this user")',
  },
  drop_connection: { what: 'The connection ends without an answer' },
  permission: { what: 'Code 200 for an account. Optional: code (100: a bare "Missing permissions")', required: ['accountId'] },
  parameter_rejected: { what: 'Code 100 "Invalid parameter" for every read of an account', required: ['accountId'] },
  closed: { what: 'An account is closed: status 101 in the list, 100/33 for every read', required: ['accountId'] },
  time_out: { what: 'A synchronous report answers 2/1504038' },
  report_too_big: {
    what: 'Reports of more rows are rejected: 100/1487534, or the run fails with -3/1504045. Optional: maximumRows (default 0)',
  },
  report_never_finishes: {
    what: 'A report run started now keeps its status until this is cleared. Optional: status (default Job Running), percent (default 42)',
  },
  report_failed: {
    what: 'A report run fails: Job Failed. Optional: code (default -2), subcode (default 2490547 for -2; 0: none), such as 1, 2/1504043, 2/1504044, 4/1504022',
  },
  report_skipped: { what: 'A report run ends as Job Skipped, without a reason' },
  run_unknown: { what: 'A report run is 100/33 while it is young. Optional: forMs (default 500)' },
  run_lost: { what: 'The rows of a complete report run are 100/33' },
  run_fields_lost: {
    what: 'The rows of a complete report run are code 100: "Cannot include … in summary param", although its fields were requested',
  },
  page_too_large: {
    what: 'Report pages requested with a higher limit are rejected: code 1, HTTP 500. Optional: mostRows (default 100), subcode (99: "An unknown error occurred")',
  },
  report_without_rows: { what: 'A report has no rows at all' },
  numbers_move: {
    what: 'Each read returns more than the previous one on recent days. Optional: days (default 1: today), percent (default 1)',
  },
  level_differs: {
    what: 'On one day, a report of this level has one impression more than the others. Every read returns the same',
    required: ['level', 'day'],
  },
  breakdown_differs: {
    what: 'The parts of a breakdown sum to this share of the total. Optional: percent (default 97; above 100: more than the whole)',
  },
  truncate_json: {
    what: 'The JSON of a report page is truncated. Optional: abort (true: the connection breaks as well)',
  },
  truncate: { what: 'The last page of a report lacks its last rows; one row is always left. Optional: rows (default 5)' },
  lose_pages: { what: 'A report page claims to be the last although others follow' },
  repeat_page: { what: 'The cursor of a page leads to the same page once more' },
  short_pages: { what: 'Pages hold fewer rows than requested. Optional: rows (default 3)' },
  fail_after_applying: {
    what: 'Events are stored and then answered with 500. Optional: drop (true: not answered at all)',
  },
  event_messages: { what: 'The answer to events has a text in messages. Optional: text' },
  fewer_events_received: {
    what: 'The last events of a request are lost, and events_received does not count them. Optional: missing (default 1)',
  },
  reject_event: {
    what: 'A request that contains this event is rejected as a whole. Optional: subcode (default 2804019)',
    required: ['eventId'],
  },
  other_dataset: { what: 'The token belongs to another dataset: 100/33' },
  deduplicate_server_events: {
    what: 'The second of two server events with the same name and id within 48 hours does not count. Meta does not promise this',
  },
  restate: {
    what: 'The numbers of past days change now, and some rows are removed or added',
    required: ['accountId', 'from', 'to'],
    isEvent: true,
  },
};

const provider = 'meta-ads';

/** Counts the match and records it in the request log. */
export function strike(faults: Faults, exchange: Exchange, name: string, occasion: Occasion): Fault | undefined {
  const fault = faults.strike(provider, name, occasion);
  if (fault) exchange.log.fault = fault.fault;
  return fault;
}

/** Faults applied before the request is read. False: the request is answered, or its connection is closed. */
export async function strikeEarly(faults: Faults, exchange: Exchange, occasion: Occasion): Promise<boolean> {
  const slow = strike(faults, exchange, 'slow', occasion);
  if (slow) await delay(numberOf(slow, 'delayMs', 2_000));
  const hold = strike(faults, exchange, 'hold', occasion);
  if (hold) await faults.untilCleared(hold);
  if (strike(faults, exchange, 'drop_connection', occasion)) {
    exchange.response.destroy();
    return false;
  }
  if (strike(faults, exchange, 'bad_gateway', occasion)) {
    sendHtml(exchange.response, 502, '<html><body><h1>502 Bad Gateway</h1></body></html>');
    return false;
  }
  if (strike(faults, exchange, 'client_refused', occasion)) throw new GraphError(101, 'Error validating application.');
  const blocked = strike(faults, exchange, 'app_blocked', occasion);
  if (blocked) throw refusedApp(blocked.parameters.reason);
  if (strike(faults, exchange, 'server_error', occasion)) {
    throw new GraphError(2, 'Service temporarily unavailable', { httpStatus: 500, isTransient: true });
  }
  return true;
}

export function strikeAccount(faults: Faults, exchange: Exchange, occasion: Occasion, accountId: string): void {
  const permission = strike(faults, exchange, 'permission', occasion);
  if (permission) throw permission.parameters.code === 100 ? badParameter('Missing permissions') : notGranted();
  if (strike(faults, exchange, 'parameter_rejected', occasion)) throw badParameter('Invalid parameter');
  if (strike(faults, exchange, 'closed', occasion)) throw unknownObject(`act_${accountId}`);
}

/** The rows of a complete run may fail at random (airbyte #46545, PR #37320; tap-facebook #239). */
export function strikeResults(faults: Faults, exchange: Exchange, occasion: Occasion, run: { id: string; fields: string }): void {
  if (strike(faults, exchange, 'run_lost', occasion)) throw unknownObject(run.id);
  if (strike(faults, exchange, 'run_fields_lost', occasion))
    throw badParameter(`Cannot include ${run.fields} in summary param because they weren't there while creating the report run.`);
}

export function strikeTimeOut(faults: Faults, exchange: Exchange, occasion: Occasion): void {
  if (strike(faults, exchange, 'time_out', occasion)) throw timedOut();
}

/** A page with this many rows is too large for Meta. */
export function strikePageSize(faults: Faults, exchange: Exchange, occasion: Occasion, limit: number): void {
  const fits = faults
    .list()
    .filter(({ provider: name, fault }) => name === provider && fault === 'page_too_large')
    .every((fault) => limit <= numberOf(fault, 'mostRows', 100));
  // Requests for small pages neither trigger nor consume the fault.
  const tooLarge = fits ? undefined : strike(faults, exchange, 'page_too_large', occasion);
  if (tooLarge) throw tooLarge.parameters.subcode === 99 ? unknownError() : tooMuchForOnePage();
}

/** A new run may not be found at first, as at Meta (tap-facebook retries the first poll). */
export function strikeYoungRun(faults: Faults, exchange: Exchange, occasion: Occasion, run: { id: string; ageMs: number }): void {
  const youngMs = faults
    .list()
    .filter(({ provider: name, fault }) => name === provider && fault === 'run_unknown')
    .map((fault) => numberOf(fault, 'forMs', 500));
  if (run.ageMs < Math.max(0, ...youngMs) && strike(faults, exchange, 'run_unknown', occasion)) throw unknownObject(run.id);
}

/** Does not use the fault up, because the account list shows it too. */
export function isClosed(faults: Faults, accountId: string): boolean {
  return faults
    .list()
    .some((fault) => fault.provider === provider && fault.fault === 'closed' && fault.parameters.accountId === accountId);
}

/** Effect of faults on one page of a report. */
export interface Damage {
  cut: 'clean' | 'abort' | null;
  missingRows: number;
  isLast: boolean;
  isRepeated: boolean;
  /** Maximum rows, whatever was requested. */
  limit: number;
}

export function strikeData(faults: Faults, exchange: Exchange, occasion: Occasion): Damage {
  const hit = (name: string): Fault | undefined => strike(faults, exchange, name, occasion);
  const [cut, missing] = [hit('truncate_json'), hit('truncate')];
  return {
    cut: cut ? (cut.parameters.abort === true ? 'abort' : 'clean') : null,
    missingRows: missing ? numberOf(missing, 'rows', 5) : 0,
    isLast: hit('lose_pages') !== undefined,
    isRepeated: hit('repeat_page') !== undefined,
    limit: strikePageLimit(faults, exchange, occasion),
  };
}

/** Applies to every list, including accounts. */
export function strikePageLimit(faults: Faults, exchange: Exchange, occasion: Occasion): number {
  const short = strike(faults, exchange, 'short_pages', occasion);
  return short ? numberOf(short, 'rows', 3) : Number.POSITIVE_INFINITY;
}

export function numberOf(fault: Fault, name: string, otherwise: number): number {
  const value = fault.parameters[name];
  return typeof value === 'number' ? value : otherwise;
}
