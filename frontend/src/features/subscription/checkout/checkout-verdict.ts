import { BillingFailure, VALIDITY_FAILED } from '~/api/billing';

/** What one question about a checkout brought. */
export type CheckoutAnswer =
  /** Ours, paid, and everything is open. */
  | { kind: 'open' }
  /** Ours, and the payment is under way. */
  | { kind: 'processing' }
  /** No checkout of this organization. */
  | { kind: 'unknown' }
  | { kind: 'failed'; error: unknown; isFinal: boolean };

export const CHECK_EVERY_MS = 2_000;
export const CHECK_FOR_MS = 30_000;
/** A checkout that has just been made may be unknown for a moment, not for this many questions in a row. */
const UNKNOWN_IN_A_ROW = 3;

const wait = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));

/**
 * Asks every two seconds until the answers amount to something, for half a minute at most: a question that is still open then is
 * not waited for. Null once nobody wants to know any more.
 */
export async function followCheckout(
  ask: () => Promise<CheckoutAnswer>,
  isGone: () => boolean,
  startedAtMs = Date.now(),
): Promise<CheckoutAnswer | null> {
  const answers: CheckoutAnswer[] = [];
  const leftMs = () => startedAtMs + CHECK_FOR_MS - Date.now();
  while (!isGone()) {
    const answer = await Promise.race([ask(), wait(leftMs())]);
    answers.push(answer ?? unansweredAfter(answers.at(-1)));
    const verdict = verdictOf(answers, CHECK_FOR_MS - leftMs());
    if (verdict) return verdict;
    await wait(Math.min(CHECK_EVERY_MS, leftMs()));
  }
  return null;
}

/** A payment that was heard to be under way is that still; of anything else an unanswered question says nothing. */
const unansweredAfter = (last: CheckoutAnswer | undefined): CheckoutAnswer =>
  last?.kind === 'processing' ? last : { kind: 'failed', error: unanswered(), isFinal: false };

const unanswered = () =>
  new BillingFailure(VALIDITY_FAILED, new Error(`There was no answer within ${CHECK_FOR_MS / 1_000} seconds.`));

/** What the answers so far amount to; null: ask again. */
export function verdictOf(answers: readonly CheckoutAnswer[], elapsedMs: number): CheckoutAnswer | null {
  const last = answers.at(-1);
  if (!last) return null;
  if (last.kind === 'open' || (last.kind === 'failed' && last.isFinal)) return last;
  const latest = answers.slice(-UNKNOWN_IN_A_ROW);
  if (latest.length === UNKNOWN_IN_A_ROW && latest.every(({ kind }) => kind === 'unknown')) return last;
  return elapsedMs >= CHECK_FOR_MS ? last : null;
}
