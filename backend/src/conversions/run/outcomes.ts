import type { Note } from '../../connectors/kit/conversion.js';
import type { ConversionOutcome, ConversionTraits, OutcomeCount } from '../../connectors/kit/conversion-target.js';
import type { UnknownOutcome } from '../../generated/prisma/client.js';
import type { EventChange } from '../ledger/conversion-ledger.js';

/** Attempts of one event before it ends. With the waits below this takes about a day. */
export const MAX_ATTEMPTS = 10;
const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 6 * 3_600;

/** Seconds until the next attempt after `attempts` attempts. */
export const retryWaitSeconds = (attempts: number): number =>
  Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.max(0, attempts - 1));

export interface OutcomeRules {
  traits: Pick<ConversionTraits, 'resend'>;
  onUnknownOutcome: UnknownOutcome;
  now: Date;
}

/** A refund contains the value that remains, so a second attempt has the same result at every platform. */
export const ADJUSTMENT_TRAITS: OutcomeRules['traits'] = { resend: 'deduplicated' };

interface SentEvent {
  id: string;
  attempts: number;
  notes: Note[];
}

const MAY_COUNT_TWICE: Note = {
  code: 'may_count_twice',
  message: 'The platform may have taken this event before. It was sent again and may count twice.',
};

/** The state of an event after an attempt. `attempts` does not include this attempt. */
export function changeOf(event: SentEvent, outcome: ConversionOutcome, rules: OutcomeRules): EventChange {
  const { id } = event;
  const retryAt = (seconds: number | null): Date =>
    new Date(rules.now.getTime() + 1_000 * (seconds ?? retryWaitSeconds(event.attempts + 1)));
  const isLast = event.attempts + 1 >= MAX_ATTEMPTS;
  switch (outcome.state) {
    case 'accepted': {
      const { code, message } = outcome;
      return { id, state: 'accepted', code, message, notes: [...event.notes, ...outcome.notes], isFinal: true };
    }
    case 'pending':
      return { id, state: 'accepted', notes: [...event.notes, ...outcome.notes], isFinal: false };
    case 'unmatched':
      return { id, state: 'unmatched', code: outcome.code, message: outcome.message };
    case 'rejected': {
      const { code, message } = outcome;
      if (!outcome.isRetryable) return { id, state: 'rejected', code, message };
      if (isLast) return { id, state: 'dead', code, message };
      return { id, state: 'retrying', code, message, nextAttemptAt: retryAt(outcome.retryAfterSeconds) };
    }
    case 'unknown':
      return unknownChange(event, outcome, rules, isLast ? null : retryAt(null));
    case 'not_sent':
      return { id, state: 'queued' };
  }
}

/** The platform may have taken the event. */
function unknownChange(
  { id, notes }: SentEvent,
  { code, message }: { code: string; message: string },
  { traits, onUnknownOutcome }: OutcomeRules,
  nextAttemptAt: Date | null,
): EventChange {
  const mayCountTwice = traits.resend === 'may_count_twice';
  if (!nextAttemptAt || (mayCountTwice && onUnknownOutcome === 'hold')) return { id, state: 'dead', code, message };
  return { id, state: 'retrying', code, message, nextAttemptAt, notes: mayCountTwice ? [...notes, MAY_COUNT_TWICE] : notes };
}

/** A worker crashed between sending and storing the answer. */
export const workerCrashed: Extract<ConversionOutcome, { state: 'unknown' }> = {
  state: 'unknown',
  code: 'conversions.worker_crashed',
  message: 'The worker stopped before the answer of the platform was stored.',
};

/** The state after the platform's later decision. */
export function decidedChange(event: SentEvent, outcome: OutcomeCount['outcome'], rules: OutcomeRules): EventChange {
  if (outcome.state !== 'accepted') return changeOf({ ...event, attempts: event.attempts - 1 }, outcome, rules);
  return { id: event.id, state: 'processed', notes: [...event.notes, ...outcome.notes] };
}
