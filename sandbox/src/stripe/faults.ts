import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultDescription, Faults, Occasion } from '../faults.ts';
import type { Exchange } from '../router.ts';
import { invalid, StripeError } from './errors.ts';

export const stripeFaults: Record<string, FaultDescription> = {
  down: { what: 'Connections end without an answer, and nothing is processed' },
  server_error: { what: '500 before anything is processed' },
  throttle: { what: '429 rate_limit. Optional: shouldRetry (true or false: the header stripe-should-retry)' },
  conflict: { what: '409 before anything is processed' },
  portal_not_configured: { what: '400 for sessions of the portal, as before its settings are saved in the dashboard' },
  key_expired: { what: 'Restricted keys answer 401 api_key_expired. Optional: accountId' },
  right_missing: { what: 'Restricted keys lack a right: 403 with its name. Optional: accountId', required: ['right'] },
  rows_added: { what: 'A payment happens in an account after every page of a list. Optional: accountId, resource' },
  slow: { what: 'Answers come late. The idempotency key is in use until then. Optional: delayMs (default 2000)' },
  fail_after_applying: { what: 'The call is processed but the answer is lost; the same idempotency key returns it again' },
  fail_executing: {
    what: '500 after processing started, which the idempotency key stores for a day. Optional: isApplied (true: it was processed)',
  },
  card_declined: { what: 'Automatic charges (renewals, retries) are declined. Optional: customerId' },
  webhooks_late: { what: 'Webhooks wait. Optional: delayMs (default 5000), event, customerId' },
  webhooks_twice: { what: 'Webhooks are sent twice. Optional: event, customerId' },
  webhooks_shuffled: {
    what: 'Webhooks are held and arrive newest first. Optional: windowMs (default 500), event, customerId',
  },
  webhooks_wrong_signature: { what: 'Webhooks are signed with another secret. Optional: event, customerId' },
  webhooks_old_signature: { what: 'Webhooks carry an old time. Optional: ageSeconds (default 3600), event, customerId' },
  webhooks_two_signatures: { what: 'Webhooks have two v1, the second one is valid. Optional: event, customerId' },
  webhooks_dropped: { what: 'Webhooks are lost and never retried. Optional: event, customerId' },
};

/** Faults applied before the request is read. False: the connection is closed. */
export function strikeEarly(faults: Faults, exchange: Exchange, occasion: Occasion): boolean {
  const strike = (name: string): boolean => strikeNamed(faults, exchange, name, occasion) !== undefined;
  if (strike('down')) {
    exchange.response.destroy();
    return false;
  }
  if (strike('server_error'))
    throw new StripeError(500, 'api_error', 'An unknown error occurred. It was requested by a fault of the sandbox.');
  if (strike('conflict'))
    throw new StripeError(409, 'invalid_request_error', 'The request conflicts with another request. Please try again.');
  if (exchange.url.pathname.endsWith('/v1/billing_portal/sessions') && strike('portal_not_configured'))
    throw invalid('No configuration provided and your test mode default configuration has not been created.');
  const throttled = strikeNamed(faults, exchange, 'throttle', occasion);
  if (!throttled) return true;
  const { shouldRetry } = throttled.parameters;
  if (typeof shouldRetry === 'boolean') exchange.response.setHeader('stripe-should-retry', String(shouldRetry));
  throw new StripeError(429, 'invalid_request_error', 'Request rate limit exceeded.', { code: 'rate_limit' });
}

export async function strikeSlow(faults: Faults, exchange: Exchange, occasion: Occasion): Promise<void> {
  const slow = strikeNamed(faults, exchange, 'slow', occasion);
  const delayMs = slow?.parameters.delayMs;
  if (slow) await delay(typeof delayMs === 'number' ? delayMs : 2_000);
}

/** The 500 of a call that failed while processing. Its key stores this outcome. Undefined: no failure. */
export function strikeExecuting(
  faults: Faults,
  exchange: Exchange,
  occasion: Occasion,
  apply: () => void,
): StripeError | undefined {
  const fault = strikeNamed(faults, exchange, 'fail_executing', occasion);
  if (!fault) return undefined;
  if (fault.parameters.isApplied === true) apply();
  return new StripeError(500, 'api_error', 'An unknown error occurred while this was carried out.');
}

/** True: the answer must not be sent. */
export function strikeLate(faults: Faults, exchange: Exchange, occasion: Occasion): boolean {
  if (!strikeNamed(faults, exchange, 'fail_after_applying', occasion)) return false;
  exchange.response.destroy();
  return true;
}

export function strikeNamed(faults: Faults, exchange: Exchange, name: string, occasion: Occasion): Fault | undefined {
  const fault = faults.strike('stripe', name, occasion);
  if (fault) exchange.log.fault = fault.fault;
  return fault;
}
