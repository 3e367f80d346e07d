import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultDescription, Faults, Occasion } from '../faults.ts';
import type { Exchange } from '../router.ts';
import { scopeInsufficient } from './access.ts';
import { DataManagerError, frontError, serviceDisabled, serviceError, type ErrorKind } from './errors.ts';

export const dataManagerFaults: Record<string, FaultDescription> = {
  expire_token: { what: 'Access tokens issued so far answer 401 ACCESS_TOKEN_EXPIRED; refreshing works. Optional: user' },
  revoke: { what: 'Access tokens issued so far answer 401. Optional: user' },
  service_disabled: { what: '403 SERVICE_DISABLED with activationUrl: the API is not enabled in the Google Cloud project' },
  refuse_project: {
    what: '403 of the front end of Google APIs with any reason, as for a Cloud project that Google does not allow',
    required: ['code'],
  },
  scope_insufficient: { what: '403 ACCESS_TOKEN_SCOPE_INSUFFICIENT, although the scope was granted' },
  permission: { what: '403 PERMISSION_DENIED. Optional: customerId' },
  throttle: { what: '429 RESOURCE_EXHAUSTED, although the quota is not used up' },
  server_error: { what: '500 INTERNAL before anything is stored. Optional: status (UNKNOWN, ABORTED or DEADLINE_EXCEEDED)' },
  unavailable: { what: '503 UNAVAILABLE' },
  slow: { what: 'Answers come late. Optional: delayMs (default 2000)' },
  drop_connection: { what: 'The connection ends without an answer, before anything is stored' },
  fail_after_storing: { what: 'The events are stored, then 500. Optional: drop (true: not answered at all)' },
  reject_events: {
    what: '400 that names some events. Optional: everyNth (default 1), reason (default INVALID_EVENT), description',
  },
  reject_destination: {
    what: '400 for the first destination. Optional: reason (default INVALID_CONVERSION_ACTION_ID), field, description',
  },
  short_paths: { what: 'Violations of events have the path events[0] instead of the full one' },
  duplicate_rejected: { what: 'A known transactionId fails with DUPLICATE_TRANSACTION_ID and does not replace the value' },
  account_consent: {
    what: 'Consent setting of accounts: DENIED (rows without consent: DENIED_CONSENT), NONE (all rows: NO_CONSENT). Optional: customerId',
    required: ['consent'],
  },
  fail_events: {
    what: 'Accepted events fail later. Optional: everyNth (default 1), reasons (a list, in turn; default INTERNAL_ERROR; without prefix)',
  },
  drop_events: { what: 'Accepted events are lost, with status SUCCESS. Optional: everyNth (default 1)' },
  processing: { what: 'The status stays PROCESSING. Optional: seconds after the request (default: until the fault is cleared)' },
  status_unknown: { what: 'The status is REQUEST_STATUS_UNKNOWN' },
  failure_spelling: { what: 'The status FAILED is spelled FAILURE' },
  empty_error_info: { what: 'FAILED and PARTIAL_SUCCESS have an empty errorInfo' },
  zero_count: { what: 'The status has recordCount 0' },
  warnings: { what: 'The status has warnings. Optional: reason' },
  forget_request: { what: 'Accepted requests are unknown to the status: 400 INVALID_REQUEST_ID' },
};

const provider = 'data-manager';

export type Strike = (name: string) => Fault | undefined;

export function striking(faults: Faults, exchange: Exchange, occasion: Occasion): Strike {
  return (name) => {
    const fault = faults.strike(provider, name, occasion);
    if (fault) exchange.log.fault = fault.fault;
    return fault;
  };
}

const serverErrors: Record<string, ErrorKind> = {
  INTERNAL: 'internal',
  UNKNOWN: 'unknown',
  ABORTED: 'aborted',
  DEADLINE_EXCEEDED: 'deadline',
};

/** Faults applied before the request is read. False: the connection is closed. */
export async function strikeEarly(strike: Strike, exchange: Exchange, method: string): Promise<boolean> {
  const slow = strike('slow');
  if (slow) await delay(numberOf(slow, 'delayMs', 2_000));
  if (strike('drop_connection')) {
    exchange.response.destroy();
    return false;
  }
  if (strike('service_disabled')) throw serviceDisabled('123456789012');
  const refusal = strike('refuse_project');
  if (refusal) throw frontError('forbidden', textOf(refusal, 'code', ''), 'The request is not allowed.', {});
  if (strike('scope_insufficient')) throw scopeInsufficient(method);
  if (strike('throttle'))
    throw frontError('exhausted', 'RATE_LIMIT_EXCEEDED', 'Resource has been exhausted (e.g. check quota).', {});
  if (strike('unavailable')) throw new DataManagerError('unavailable', 'The service is currently unavailable.', () => []);
  const failure = strike('server_error');
  if (failure) throw serverError(textOf(failure, 'status', 'INTERNAL'));
  return true;
}

export function serverError(status: string): Error {
  const kind = serverErrors[status] ?? 'internal';
  if (kind === 'deadline') return serviceError(kind, 'DEADLINE_EXCEEDED', 'The request took too long to respond.');
  return serviceError(kind, 'INTERNAL_ERROR', 'An internal error has occurred.');
}

/** Whether the fault affects the item at this position, counted from 0. */
export function affects(fault: Fault | undefined, position: number): boolean {
  return fault !== undefined && (position + 1) % numberOf(fault, 'everyNth', 1) === 0;
}

export function numberOf(fault: Fault, name: string, otherwise: number): number {
  const value = fault.parameters[name];
  return typeof value === 'number' && value > 0 ? value : otherwise;
}

export function textOf(fault: Fault, name: string, otherwise: string): string {
  const value = fault.parameters[name];
  return typeof value === 'string' ? value : otherwise;
}
