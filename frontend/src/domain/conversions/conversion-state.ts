import type { Health } from '~/domain/connections/connection-state';
import { formatCount, formatPercent, plural } from '~/lib/numbers';
import { formatFuture } from '~/lib/relative-time';

export interface Counts {
  received: number;
  eligible: number;
  ineligible: number;
  waiting: number;
  sent: number;
  accepted: number;
  processed: number;
  unmatched: number;
  rejected: number;
}

export interface ConversionFacts {
  desired: 'active' | 'paused';
  health: Exclude<Health, 'stale' | 'unverified' | 'backfilling' | 'paused'>;
  pause: { reason: 'user' | 'failures' } | null;
  failure: { message: string } | null;
  waitingUntil: string | null;
  nextRunAt: string | null;
  lastWeek: Counts;
}

/** A paused conversion is shown as paused, whatever its last run was, unless its app needs a new sign-in. */
export const healthOf = ({ desired, health }: Pick<ConversionFacts, 'desired' | 'health'>): Health =>
  desired === 'paused' && health !== 'needs_reauth' ? 'paused' : health;

/** The cause of the health, in one line. */
export function healthReasonOf(conversion: ConversionFacts, now: Date): string {
  const { desired, failure, lastWeek, nextRunAt, pause, waitingUntil } = conversion;
  switch (healthOf(conversion)) {
    case 'paused':
      return pause?.reason === 'failures' ? 'Paused after too many failed runs' : 'Nothing is read or sent';
    case 'needs_reauth':
      return `${desired === 'paused' ? 'Paused. ' : ''}${failure?.message ?? 'Reconnect the app'}`;
    case 'partial':
      return `${formatCount(lastWeek.rejected)} of ${plural(lastWeek.received, 'event')} rejected in 7 days`;
    case 'never_run':
      return nextRunAt === null ? 'Waits for its first run' : `First run ${formatFuture(nextRunAt, now)}`;
    case 'healthy':
      return lastWeek.received === 0 ? 'No events in 7 days' : 'No event rejected in 7 days';
    default:
      return (
        failure?.message ?? (waitingUntil === null ? 'The last run failed' : `Waits, retries ${formatFuture(waitingUntil, now)}`)
      );
  }
}

/** Share of accepted events that the platform counted; null if it reports nothing about them. */
export function matchCoverageOf({
  target,
  lastWeek: { accepted, processed, unmatched },
}: {
  target: { reportsResults: boolean };
  lastWeek: Counts;
}): { share: string; detail: string } | null {
  if (!target.reportsResults || processed + unmatched === 0 || accepted === 0) return null;
  return { share: formatPercent(processed / accepted), detail: `${formatCount(processed)} of ${formatCount(accepted)} accepted` };
}

/** Why a run cannot start, as the text next to the button; null when it can. */
export function whyNotRunConversion({ desired, health }: Pick<ConversionFacts, 'desired' | 'health'>): string | null {
  if (desired === 'paused') return 'Paused. Resume it first';
  return health === 'needs_reauth' ? 'Reconnect the app first' : null;
}
