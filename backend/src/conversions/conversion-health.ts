import { type EndedAccess, expiredReason } from '../connections/index.js';
import { formatCount, plural } from '../connectors/kit/plural.js';
import type { ConversionHealth } from './conversions.dto.js';

/** Data from which the health of a conversion is computed. */
export interface HealthFacts {
  desired: 'active' | 'paused';
  pausedByName: string | null;
  /** Whether it was paused automatically, after too many failed runs. */
  isPausedByFailures: boolean;
  /** The app that lacks access; null if both are connected. */
  endedAccess: EndedAccess | null;
  failure: { class: string; message: string } | null;
  /** Display name of the end that the failure belongs to. */
  failedName: string;
  isWaiting: boolean;
  hasRun: boolean;
  /** Events of the last 7 days. */
  lastWeek: { received: number; rejected: number };
}

/** The worst health that applies, and one line with the cause. For a paused conversion, the line says so. */
export function healthOf(facts: HealthFacts): { health: ConversionHealth; healthReason: string } {
  const { health, reason } = RULES.find(({ applies }) => applies(facts)) ?? HEALTHY;
  if (facts.desired === 'active') return { health, healthReason: reason(facts) };
  // An ended sign-in is shown even if the conversion is paused, because resuming it would not help.
  return { health, healthReason: health === 'needs_reauth' ? `Paused. ${reason(facts)}` : pausedReason(facts) };
}

interface Rule {
  health: ConversionHealth;
  applies(facts: HealthFacts): boolean;
  reason(facts: HealthFacts): string;
}

/** Worst first. */
const RULES: Rule[] = [
  {
    health: 'needs_reauth',
    applies: ({ endedAccess }) => endedAccess !== null,
    reason: ({ endedAccess }) => (endedAccess ? expiredReason(endedAccess) : ''),
  },
  {
    health: 'rate_limited',
    applies: ({ failure, isWaiting }) => failure?.class === 'quota' && isWaiting,
    reason: ({ failedName }) => `${failedName} throttles requests`,
  },
  {
    health: 'failing',
    applies: ({ failure }) => failure !== null,
    reason: ({ failure }) => failure?.message ?? 'The last run failed',
  },
  { health: 'never_run', applies: ({ hasRun }) => !hasRun, reason: () => 'No run has started yet' },
  {
    health: 'partial',
    applies: ({ lastWeek }) => lastWeek.rejected > 0,
    reason: ({ lastWeek }) => `${formatCount(lastWeek.rejected)} of ${plural(lastWeek.received, 'event')} rejected in 7 days`,
  },
];

const HEALTHY: Rule = {
  health: 'healthy',
  applies: () => true,
  reason: ({ lastWeek }) => (lastWeek.received === 0 ? 'No events in 7 days' : 'No event rejected in 7 days'),
};

function pausedReason({ isPausedByFailures, pausedByName }: HealthFacts): string {
  if (isPausedByFailures) return 'Paused after too many failed runs';
  return pausedByName ? `Paused by ${pausedByName}` : 'Paused';
}
