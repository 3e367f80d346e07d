import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultDescription, Faults } from '../faults.ts';
import type { Exchange } from '../router.ts';
import { TrackError } from './track.ts';

export const customerIoFaults: Record<string, FaultDescription> = {
  down: { what: 'Connections end without an answer, and nothing arrives. Optional: customerId, event' },
  server_error: { what: '500, and nothing arrives. Optional: customerId, event' },
  unauthorized: { what: '401 as for a wrong key, and nothing arrives' },
  throttle: { what: '429, and nothing arrives. Optional: retryAfterSeconds' },
  slow: { what: 'Answers come late. Optional: delayMs (default 2000)' },
  fail_after_applying: { what: 'It arrives, then 500. Optional: drop (true: no answer at all), customerId, event' },
};

export interface Occasion {
  endpoint: 'api';
  customerId?: string;
  event?: string;
  [selector: string]: string | undefined;
}

/** Faults before anything is processed. False: the connection is closed. */
export async function strikeEarly(faults: Faults, exchange: Exchange, occasion: Occasion): Promise<boolean> {
  const slow = strike(faults, exchange, 'slow', occasion);
  if (slow) await delay(numberOf(slow, 'delayMs', 2_000));
  if (strike(faults, exchange, 'down', occasion)) {
    exchange.response.destroy();
    return false;
  }
  if (strike(faults, exchange, 'server_error', occasion)) throw new TrackError(500, 'internal server error');
  if (strike(faults, exchange, 'unauthorized', occasion)) throw new TrackError(401, 'Unauthorized request');
  const throttle = strike(faults, exchange, 'throttle', occasion);
  if (throttle) {
    const { retryAfterSeconds } = throttle.parameters;
    if (typeof retryAfterSeconds === 'number') exchange.response.setHeader('retry-after', String(retryAfterSeconds));
    throw new TrackError(429, 'too many requests');
  }
  return true;
}

/** Faults after the request was processed. */
export function strikeLate(faults: Faults, exchange: Exchange, occasion: Occasion): boolean {
  const fault = strike(faults, exchange, 'fail_after_applying', occasion);
  if (!fault) return true;
  if (fault.parameters.drop !== true) throw new TrackError(500, 'internal server error');
  exchange.response.destroy();
  return false;
}

function strike(faults: Faults, exchange: Exchange, name: string, occasion: Occasion): Fault | undefined {
  const fault = faults.strike('customer-io', name, occasion);
  if (fault) exchange.log.fault = fault.fault;
  return fault;
}

function numberOf(fault: Fault, name: string, otherwise: number): number {
  const value = fault.parameters[name];
  return typeof value === 'number' ? value : otherwise;
}
