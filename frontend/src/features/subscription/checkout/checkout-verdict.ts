import { BillingFailure, VALIDITY_FAILED } from '~/api/billing';

/** Result of one checkout request. */
export type CheckoutAnswer =
  /** Paid, and the plan is active. */
  | { kind: 'open' }
  /** The payment is not confirmed yet. */
  | { kind: 'processing' }
  /** Not a checkout of this organization. */
  | { kind: 'unknown' }
  | { kind: 'failed'; error: unknown; isFinal: boolean };

export const CHECK_EVERY_MS = 2_000;
export const CHECK_FOR_MS = 30_000;
/** A new checkout can be unknown at first. After this many consecutive unknown answers it does not exist. */
const UNKNOWN_IN_A_ROW = 3;

const wait = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));

/**
 * Polls every 2 s until there is a verdict, for at most 30 s. A request that is pending at the timeout is abandoned. Returns null
 * when canceled.
 */
export async function followCheckout(
  check: () => Promise<CheckoutAnswer>,
  isCanceled: () => boolean,
  startedAtMs = Date.now(),
): Promise<CheckoutAnswer | null> {
  const answers: CheckoutAnswer[] = [];
  const leftMs = () => startedAtMs + CHECK_FOR_MS - Date.now();
  while (!isCanceled()) {
    const answer = await Promise.race([check(), wait(leftMs())]);
    answers.push(answer ?? resultWithoutResponse(answers.at(-1)));
    const verdict = verdictOf(answers, CHECK_FOR_MS - leftMs());
    if (verdict) return verdict;
    await wait(Math.min(CHECK_EVERY_MS, leftMs()));
  }
  return null;
}

/** Result of a request without a response: `processing` if the last answer was that, or else a timeout error. */
const resultWithoutResponse = (last: CheckoutAnswer | undefined): CheckoutAnswer =>
  last?.kind === 'processing' ? last : { kind: 'failed', error: timeoutError(), isFinal: false };

const timeoutError = () =>
  new BillingFailure(VALIDITY_FAILED, new Error(`There was no answer within ${CHECK_FOR_MS / 1_000} seconds.`));

/** Verdict of the answers so far, or null to poll again. */
export function verdictOf(answers: readonly CheckoutAnswer[], elapsedMs: number): CheckoutAnswer | null {
  const last = answers.at(-1);
  if (!last) return null;
  if (last.kind === 'open' || (last.kind === 'failed' && last.isFinal)) return last;
  const latest = answers.slice(-UNKNOWN_IN_A_ROW);
  if (latest.length === UNKNOWN_IN_A_ROW && latest.every(({ kind }) => kind === 'unknown')) return last;
  return elapsedMs >= CHECK_FOR_MS ? last : null;
}
