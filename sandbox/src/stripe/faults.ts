import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultDescription, Faults, Occasion } from '../faults.ts';
import type { Exchange } from '../router.ts';
import { StripeError } from './errors.ts';

export const stripeFaults: Record<string, FaultDescription> = {
  down: { what: 'Connections end without an answer, and nothing happens' },
  server_error: { what: '500 before anything happens' },
  throttle: { what: '429 rate_limit' },
  slow: { what: 'Answers come late, meanwhile the idempotency key is in use. Optional: delayMs (default 2000)' },
  fail_after_applying: { what: 'It happens, and the answer is lost; the same idempotency key has the answer again' },
  fail_executing: {
    what: '500 after it has begun, which the idempotency key keeps for a day. Optional: isApplied (true: it has happened all the same)',
  },
  card_declined: { what: 'What Stripe charges by itself (renewals, retries) is declined. Optional: customerId' },
  webhooks_late: { what: 'Webhooks wait. Optional: delayMs (default 5000), event, customerId' },
  webhooks_twice: { what: 'Webhooks are sent twice. Optional: event, customerId' },
  webhooks_shuffled: {
    what: 'Webhooks are held and arrive newest first. Optional: windowMs (default 500), event, customerId',
  },
  webhooks_dropped: { what: 'Webhooks are lost and never tried again. Optional: event, customerId' },
};

/** Faults that strike before anything is looked at. False: the connection is gone. */
export function strikeEarly(faults: Faults, exchange: Exchange, occasion: Occasion): boolean {
  const strike = (name: string): boolean => strikeNamed(faults, exchange, name, occasion) !== undefined;
  if (strike('down')) {
    exchange.response.destroy();
    return false;
  }
  if (strike('server_error'))
    throw new StripeError(500, 'api_error', 'An unknown error occurred. It is the sandbox that was asked to make it.');
  if (strike('throttle'))
    throw new StripeError(429, 'invalid_request_error', 'Request rate limit exceeded.', { code: 'rate_limit' });
  return true;
}

export async function strikeSlow(faults: Faults, exchange: Exchange, occasion: Occasion): Promise<void> {
  const slow = strikeNamed(faults, exchange, 'slow', occasion);
  const delayMs = slow?.parameters.delayMs;
  if (slow) await delay(typeof delayMs === 'number' ? delayMs : 2_000);
}

/** The 500 of a call that broke off while it was carried out: an outcome, which its key keeps. Undefined: nothing broke. */
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

/** True: the answer is not to be sent. */
export function strikeLate(faults: Faults, exchange: Exchange, occasion: Occasion): boolean {
  if (!strikeNamed(faults, exchange, 'fail_after_applying', occasion)) return false;
  exchange.response.destroy();
  return true;
}

function strikeNamed(faults: Faults, exchange: Exchange, name: string, occasion: Occasion): Fault | undefined {
  const fault = faults.strike('stripe', name, occasion);
  if (fault) exchange.log.fault = fault.fault;
  return fault;
}
