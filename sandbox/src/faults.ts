import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { preciseNow } from './clock.ts';

export interface Fault {
  id: string;
  provider: string;
  fault: string;
  /** How often it still strikes; null: until it is cleared. */
  remaining: number | null;
  /** Matching requests that are let through first. */
  afterRequests: number;
  struckCount: number;
  createdAt: string;
  /** Milliseconds with a fraction: tokens issued before this moment are the ones that expire or are revoked. */
  createdAtPrecise: number;
  parameters: Record<string, unknown>;
}

/** What is known of a request when a fault is looked for; a fault's parameter of the same name must equal it. */
export interface Occasion {
  /** Faults strike `api` unless they name another endpoint. */
  endpoint: string;
  [selector: string]: string | undefined;
}

/** Parameters by which a fault chooses what it strikes; all others only describe the fault. */
const selectors = ['customerId', 'accountId', 'resource', 'level', 'table', 'projectId', 'user', 'event'];

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
  /** Happens once when it is posted, and is not kept. */
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

  /** Removes one fault, or all; answers what was removed. */
  remove(id?: string): Fault[] {
    const removed = this.#active.filter((fault) => !id || fault.id === id);
    this.#active = this.#active.filter((fault) => !removed.includes(fault));
    return removed;
  }

  /** The fault of this name that strikes now, counted as one strike. */
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
   * Whether a token issued at that moment falls under an `expire_token` or `revoke` fault; never used up by asking. One with
   * `afterRequests` strikes the tokens that were issued until so many have been let through.
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

  /** For a fault that holds answers back until it is cleared. */
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
