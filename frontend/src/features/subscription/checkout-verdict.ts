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

/** What the answers so far amount to; null: ask again. */
export function verdictOf(answers: readonly CheckoutAnswer[], elapsedMs: number): CheckoutAnswer | null {
  const last = answers.at(-1);
  if (!last) return null;
  if (last.kind === 'open' || (last.kind === 'failed' && last.isFinal)) return last;
  const latest = answers.slice(-UNKNOWN_IN_A_ROW);
  if (latest.length === UNKNOWN_IN_A_ROW && latest.every(({ kind }) => kind === 'unknown')) return last;
  return elapsedMs >= CHECK_FOR_MS ? last : null;
}
