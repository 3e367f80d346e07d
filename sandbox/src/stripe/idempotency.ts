import { StripeError } from './errors.ts';
import type { SavedAnswer } from './state.ts';

const keptSeconds = 86_400;

export interface Answer {
  status: number;
  body: unknown;
  /** The first request with this answer, if this is a replay. */
  originalRequestId: string | null;
}

/** An account with its stored answers. */
export interface IdempotentAccount {
  readonly answers: Map<string, SavedAnswer>;
  now(): number;
}

/** Keys of requests in progress. Lost when the process ends, like the requests. */
export class Idempotency {
  readonly #state: IdempotentAccount;
  readonly #inFlight = new Set<string>();

  constructor(state: IdempotentAccount) {
    this.#state = state;
  }

  /**
   * Returns the stored answer of a known key. Requests rejected before processing are not stored, so that the same key can be
   * used for the corrected request.
   */
  async once(
    key: string,
    fingerprint: string,
    requestId: string,
    execute: () => Promise<Omit<Answer, 'originalRequestId'>>,
  ): Promise<Answer> {
    if (this.#inFlight.has(key)) throw inUse(key);
    const saved = this.#state.answers.get(key);
    if (saved && this.#state.now() - saved.savedAt < keptSeconds) {
      if (saved.fingerprint !== fingerprint) throw otherParameters(key);
      return { status: saved.status, body: saved.body, originalRequestId: saved.requestId };
    }
    this.#inFlight.add(key);
    try {
      const answer = await execute();
      const body = structuredClone(answer.body);
      this.#state.answers.set(key, { fingerprint, savedAt: this.#state.now(), status: answer.status, body, requestId });
      return { ...answer, originalRequestId: null };
    } finally {
      this.#inFlight.delete(key);
    }
  }
}

function inUse(key: string): StripeError {
  return new StripeError(
    409,
    'idempotency_error',
    `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    { code: 'idempotency_key_in_use' },
  );
}

function otherParameters(key: string): StripeError {
  return new StripeError(
    400,
    'idempotency_error',
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  );
}
