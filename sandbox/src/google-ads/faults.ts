import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultDescription, Faults, Occasion } from '../faults.ts';
import type { Exchange } from '../router.ts';
import type { Damage } from './answer-stream.ts';
import { GoogleAdsError, notEnabled, permissionDenied } from './errors.ts';
import type { Plan } from './plan.ts';

export const googleAdsFaults: Record<string, FaultDescription> = {
  expire_token: {
    what: 'Access tokens issued so far answer 401 OAUTH_TOKEN_EXPIRED; refreshing works. Optional: frontDoor (true: the 401 is the ErrorInfo ACCESS_TOKEN_EXPIRED of the front end of Google APIs)',
  },
  revoke: {
    what: 'Tokens issued so far are revoked: refresh answers invalid_grant, calls answer 401 OAUTH_TOKEN_REVOKED. Optional: user',
  },
  throttle: { what: '429 RESOURCE_TEMPORARILY_EXHAUSTED. Optional: retryDelaySeconds (default 5)' },
  slow: { what: 'Answers come late. Optional: delayMs (default 2000)' },
  truncate_json: { what: 'The JSON of a report is truncated. Optional: abort (true: the connection breaks as well)' },
  truncate_rows: {
    what: 'The last chunk of a report lacks its last rows, the summary row stays true. Optional: rows (default 5)',
  },
  empty_summary: { what: 'A report without rows sends a summary row; without this fault the stream is an empty list' },
  deadline: {
    what: '504 DEADLINE_EXCEEDED for reports of more days than mostDays (default 7).',
  },
  repeat_page: { what: 'A chunk or page of a report is sent twice' },
  server_error: { what: '500 INTERNAL_ERROR' },
  unavailable: { what: '503 UNAVAILABLE' },
  permission: { what: '403 USER_PERMISSION_DENIED for an account', required: ['customerId'] },
  refuse_project: {
    what: '401 (authenticationError) or 403 with any code, as for a Cloud project or an organization that Google does not allow. Optional: category (default authorizationError; errorInfo: the ErrorInfo of the front end of Google APIs), customerId, resource',
    required: ['code'],
  },
  not_enabled: { what: '403 CUSTOMER_NOT_ENABLED for an account', required: ['customerId'] },
  restate: {
    what: 'The numbers of past days change now, and some rows are removed or added',
    required: ['customerId', 'from', 'to'],
    isEvent: true,
  },
  fail_conversions: {
    what: 'Rows of a conversion upload fail. Optional: everyNth (default 1), category and code (default internalError INTERNAL_ERROR)',
  },
  allow_click_uploads: { what: 'Clicks may be uploaded, as by developers who did so before 2026-06-15' },
  reject_uploads: {
    what: '403 for every upload of conversions. Optional: category and code (default authorizationError DEVELOPER_TOKEN_NOT_APPROVED)',
  },
  fail_after_upload: {
    what: '500 INTERNAL_ERROR after the rows of an upload were stored. Optional: drop (true: no answer at all)',
  },
  drop_connection: { what: 'The connection ends without an answer' },
};

const provider = 'google-ads';

/** Faults applied before the request is read. False: the connection is closed. */
export async function strikeEarly(faults: Faults, exchange: Exchange, occasion: Occasion): Promise<boolean> {
  const strike = (name: string): Fault | undefined => note(exchange, faults.strike(provider, name, occasion));
  const slow = strike('slow');
  if (slow) await delay(numberOf(slow, 'delayMs', 2_000));
  if (strike('drop_connection')) {
    exchange.response.destroy();
    return false;
  }
  if (strike('unavailable'))
    throw new GoogleAdsError('unavailable', 'internalError', 'TRANSIENT_ERROR', 'The service is currently unavailable.');
  if (strike('server_error'))
    throw new GoogleAdsError('internal', 'internalError', 'INTERNAL_ERROR', 'An internal error has occurred.');
  const refusal = strike('refuse_project');
  if (refusal) throw refused(refusal);
  const throttle = strike('throttle');
  if (throttle) throw throttled(numberOf(throttle, 'retryDelaySeconds', 5));
  return true;
}

export function strikeAccount(faults: Faults, exchange: Exchange, occasion: Occasion): void {
  if (note(exchange, faults.strike(provider, 'permission', occasion))) throw permissionDenied();
  if (note(exchange, faults.strike(provider, 'not_enabled', occasion))) throw notEnabled();
}

/** Simulates large accounts, whose reports are fast enough only for few days. */
export function strikeLongRange(faults: Faults, exchange: Exchange, occasion: Occasion, { dates }: Plan): void {
  if (!dates) return;
  const isLong = (fault: Fault): boolean => dates.toDay - dates.fromDay >= numberOf(fault, 'mostDays', 7);
  const active = faults.list().find((fault) => fault.provider === provider && fault.fault === 'deadline');
  if (!active || !isLong(active) || !note(exchange, faults.strike(provider, 'deadline', occasion))) return;
  throw new GoogleAdsError('deadline', '', '', 'Deadline expired before operation could complete.', { isBare: true });
}

/** Apply only to uploads of conversions and adjustments. */
export function strikeUpload(faults: Faults, exchange: Exchange, occasion: Occasion) {
  const strike = (name: string): Fault | undefined => faults.strike(provider, name, occasion);
  const rejection = note(exchange, strike('reject_uploads'));
  if (rejection) {
    const { category = 'authorizationError', code = 'DEVELOPER_TOKEN_NOT_APPROVED' } = rejection.parameters;
    throw new GoogleAdsError('forbidden', String(category), String(code), 'The request is not allowed.');
  }
  const isAllowed = strike('allow_click_uploads') !== undefined;
  return { isAllowed, rows: note(exchange, strike('fail_conversions')), after: note(exchange, strike('fail_after_upload')) };
}

/** The rows are stored already. False: the connection is closed. */
export function strikeAfterUpload(exchange: Exchange, after: Fault | undefined): boolean {
  if (!after) return true;
  if (after.parameters.drop !== true)
    throw new GoogleAdsError('internal', 'internalError', 'INTERNAL_ERROR', 'An internal error has occurred.');
  exchange.response.destroy();
  return false;
}

/** Applies only to reports, not to account lists. */
export function strikeData(faults: Faults, exchange: Exchange, occasion: Occasion): Damage {
  const cut = note(exchange, faults.strike(provider, 'truncate_json', occasion));
  const missing = note(exchange, faults.strike(provider, 'truncate_rows', occasion));
  const repeated = note(exchange, faults.strike(provider, 'repeat_page', occasion));
  return {
    cut: cut ? (cut.parameters.abort === true ? 'abort' : 'clean') : null,
    missingRows: missing ? numberOf(missing, 'rows', 5) : 0,
    isChunkRepeated: repeated !== undefined,
    hasEmptySummary: note(exchange, faults.strike(provider, 'empty_summary', occasion)) !== undefined,
  };
}

function note(exchange: Exchange, fault: Fault | undefined): Fault | undefined {
  if (fault) exchange.log.fault = fault.fault;
  return fault;
}

function numberOf(fault: Fault, name: string, otherwise: number): number {
  const value = fault.parameters[name];
  return typeof value === 'number' ? value : otherwise;
}

function refused({ parameters }: Fault): GoogleAdsError {
  const { category = 'authorizationError', code } = parameters;
  const kind = category === 'authenticationError' ? 'unauthenticated' : 'forbidden';
  const isFrontDoor = category === 'errorInfo';
  return new GoogleAdsError(kind, String(category), String(code), 'The request is not allowed.', { isFrontDoor });
}

function throttled(retryDelaySeconds: number): GoogleAdsError {
  return new GoogleAdsError('exhausted', 'quotaError', 'RESOURCE_TEMPORARILY_EXHAUSTED', 'Too many requests. Retry later.', {
    details: {
      quotaErrorDetails: {
        rateScope: 'ACCOUNT',
        rateName: 'Number of operations for basic access',
        retryDelay: `${retryDelaySeconds}s`,
      },
    },
  });
}
