import type { Health } from '~/domain/connections/connection-state';
import { formatCount, formatPercent } from '~/lib/numbers';

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

interface ConversionFacts {
  desired: 'active' | 'paused';
  health: Exclude<Health, 'stale' | 'unverified' | 'backfilling' | 'paused'>;
}

/** A paused conversion is shown as paused, whatever its last run was, unless its app needs a new sign-in. */
export const healthOf = ({ desired, health }: ConversionFacts): Health =>
  desired === 'paused' && health !== 'needs_reauth' ? 'paused' : health;

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
export function whyNotRunConversion({ desired, health }: ConversionFacts): string | null {
  if (desired === 'paused') return 'Paused. Resume it first';
  return health === 'needs_reauth' ? 'Reconnect the app first' : null;
}
