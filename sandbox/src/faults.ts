import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { preciseNow } from './clock.ts';

export interface Fault {
  id: string;
  provider: string;
  fault: string;
  /** Remaining number of matches; null: until it is cleared. */
  remaining: number | null;
  /** Number of matching requests that pass first. */
  afterRequests: number;
  struckCount: number;
  createdAt: string;
  /** Milliseconds with a fraction. Tokens issued before this time expire or are revoked. */
  createdAtPrecise: number;
  parameters: Record<string, unknown>;
}

/** Properties of a request that are matched with a fault. A fault's parameter with the same name must be equal. */
export interface Occasion {
  /** Faults apply to `api` unless they name another endpoint. */
  endpoint: string;
  [selector: string]: string | undefined;
}

/** Parameters that select requests; all others only configure the fault. */
const selectors = ['customerId', 'accountId', 'resource', 'level', 'table', 'projectId', 'user', 'event', 'right'];

const clearedPollMs = 20;

export class InvalidFault extends Error {
  readonly details: Record<string, unknown>;

  constructor(message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.details = details;
  }
}

export interface FaultDescription {
  what: string;
  required?: string[];
  /** Executed once when posted, and not stored. */
  isEvent?: boolean;
}

export class Faults {
  readonly known: Record<string, Record<string, FaultDescription>>;
  #active: Fault[] = [];

  constructor(known: Record<string, Record<string, FaultDescription>>) {
    this.known = known;
  }

  parse(body: Record<string, unknown>): Fault {
    const { provider, fault, times, afterRequests, ...parameters } = body;
    const description = typeof provider === 'string' && typeof fault === 'string' ? this.known[provider]?.[fault] : undefined;
    if (!description) throw new InvalidFault(`Unknown fault ${String(provider)}/${String(fault)}`, { known: this.known });
    const missing = (description.required ?? []).filter((name) => typeof parameters[name] !== 'string');
    if (missing.length > 0) throw new InvalidFault(`The fault ${String(fault)} needs ${missing.join(', ')} (text)`);
    return {
      id: randomUUID(),
      provider: String(provider),
      fault: String(fault),
      remaining: times === undefined ? null : positiveInteger(times, 'times', 1),
      afterRequests: afterRequests === undefined ? 0 : positiveInteger(afterRequests, 'afterRequests', 0),
      struckCount: 0,
      createdAt: new Date().toISOString(),
      createdAtPrecise: preciseNow(),
      parameters,
    };
  }

  add(fault: Fault): void {
    this.#active.push(fault);
  }

  list(): Fault[] {
    return this.#active;
  }

  /** Removes one fault, or all. Returns the removed ones. */
  remove(id?: string): Fault[] {
    const removed = this.#active.filter((fault) => !id || fault.id === id);
    this.#active = this.#active.filter((fault) => !removed.includes(fault));
    return removed;
  }

  /** The active fault with this name. Counts the match. */
  strike(provider: string, name: string, occasion: Occasion): Fault | undefined {
    for (const fault of this.#active) {
      if (fault.provider !== provider || fault.fault !== name || !matches(fault, occasion)) continue;
      if (fault.afterRequests > 0) {
        fault.afterRequests -= 1;
        continue;
      }
      if (fault.remaining === 0) continue;
      if (fault.remaining !== null) fault.remaining -= 1;
      fault.struckCount += 1;
      return fault;
    }
    return undefined;
  }

  /**
   * Whether an `expire_token` or `revoke` fault affects a token issued at that moment. Checking does not use the fault up. With
   * `afterRequests`, it affects tokens issued until that many requests have passed.
   */
  findForToken(provider: string, name: string, user: string, issuedAt: number): Fault | undefined {
    for (const fault of this.#active) {
      if (fault.provider !== provider || fault.fault !== name || (fault.parameters.user ?? user) !== user) continue;
      if (fault.afterRequests > 0) {
        fault.afterRequests -= 1;
        fault.createdAtPrecise = preciseNow();
        continue;
      }
      if (issuedAt >= fault.createdAtPrecise) continue;
      fault.struckCount += 1;
      return fault;
    }
    return undefined;
  }

  /** For a fault that delays answers until it is cleared. */
  async untilCleared(fault: Fault): Promise<void> {
    while (this.#active.includes(fault)) await delay(clearedPollMs);
  }
}

function matches(fault: Fault, occasion: Occasion): boolean {
  if ((fault.parameters.endpoint ?? 'api') !== occasion.endpoint) return false;
  return selectors.every((name) => fault.parameters[name] === undefined || fault.parameters[name] === occasion[name]);
}

function positiveInteger(value: unknown, name: string, minimum: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum) {
    throw new InvalidFault(`${name} must be a whole number of at least ${minimum}`);
  }
  return value;
}
