import type { RunStateName } from '../sync/index.js';
import type { Health } from './connections.dto.js';
import { plural } from '../connectors/kit/plural.js';

/** Data from which the health of a connection is computed. */
export interface HealthFacts {
  desired: 'active' | 'paused';
  pausedByName: string | null;
  /** Whether it is stopped by a missing subscription. */
  isClosed: boolean;
  /** The app whose access has expired; null if both are connected. `isTyped`: its credentials are entered, without OAuth. */
  expiredApp: { side: 'source' | 'destination'; providerName: string; isTyped: boolean } | null;
  isDestinationBroken: boolean;
  providerName: string;
  /** State of the last finished run; null if there is none. */
  lastEndedState: RunStateName | null;
  failedInARow: number;
  failureMessage: string | null;
  failureClass: string | null;
  /**
   * Display name of the platform that a waiting run waits for, from the code of its failure; null if it waits for neither end.
   */
  waitsFor: string | null;
  activeState: RunStateName | null;
  /** True while a run loads days for the first time. */
  isFirstLoad: boolean;
  percentLoaded: number;
  /** Newest complete day; null if there is none. */
  newestComplete: string | null;
  /** The day up to which data should have arrived by now; null if the schedule does not define it. */
  dueThrough: string | null;
  /** Last day that can be complete: yesterday. */
  wantedThrough: string;
  accountsMissing: number;
  accounts: number;
}

/** The worst health that applies, and one line with the cause. */
export function healthOf(facts: HealthFacts): { health: Health; healthReason: string } {
  if (facts.desired === 'paused') return { health: 'paused', healthReason: pausedReason(facts) };
  if (facts.isClosed) return { health: 'paused', healthReason: 'Waiting for a subscription' };
  const applying = RULES.find((rule) => rule.applies(facts));
  return applying
    ? { health: applying.health, healthReason: applying.reason(facts) }
    : { health: 'healthy', healthReason: 'Every row verified' };
}

interface Rule {
  health: Health;
  applies(facts: HealthFacts): boolean;
  reason(facts: HealthFacts): string;
}

/** Worst first. */
const RULES: Rule[] = [
  { health: 'needs_reauth', applies: (facts) => facts.expiredApp !== null, reason: expiredReason },
  {
    health: 'failing',
    applies: (facts) => facts.lastEndedState === 'failed' || (facts.isDestinationBroken && facts.lastEndedState !== null),
    reason: (facts) =>
      facts.failedInARow > 1 ? `${facts.failedInARow} runs failed in a row` : (facts.failureMessage ?? 'The last run failed'),
  },
  {
    health: 'stale',
    // An active run does not count, because it has not loaded anything yet.
    applies: ({ newestComplete, dueThrough }) => newestComplete !== null && dueThrough !== null && newestComplete < dueThrough,
    reason: staleReason,
  },
  {
    health: 'partial',
    applies: (facts) => facts.lastEndedState === 'partial',
    reason: (facts) =>
      facts.accountsMissing > 0
        ? `${facts.accountsMissing} of ${facts.accounts} accounts incomplete`
        : 'Days that may still change were not all read again',
  },
  {
    health: 'unverified',
    applies: (facts) => facts.lastEndedState === 'unverified',
    reason: () => 'Rows were sent and are not verified yet',
  },
  {
    health: 'rate_limited',
    applies: (facts) => facts.activeState === 'waiting',
    reason: ({ failureClass, waitsFor }) => {
      if (failureClass === 'quota') return waitsFor ? `${waitsFor} quota is used up` : 'A quota is used up';
      return waitsFor ? `Waiting for ${waitsFor}` : 'Waiting for the next retry';
    },
  },
  {
    health: 'backfilling',
    applies: (facts) => facts.activeState !== null && facts.isFirstLoad,
    reason: (facts) => `First load, ${facts.percentLoaded}% loaded`,
  },
  { health: 'never_run', applies: (facts) => facts.lastEndedState === null, reason: () => 'No run has ended yet' },
];

function staleReason({ newestComplete, wantedThrough }: HealthFacts): string {
  const days = Math.round((Date.parse(wantedThrough) - Date.parse(newestComplete ?? wantedThrough)) / 86_400_000);
  return `${plural(days, 'day')} behind: the newest complete day is ${newestComplete}`;
}

function expiredReason({ expiredApp, providerName }: HealthFacts): string {
  return expiredApp?.isTyped
    ? `${expiredApp.providerName} rejects the credentials`
    : `${expiredApp?.providerName ?? providerName} sign-in has expired`;
}

const pausedReason = (facts: HealthFacts): string => (facts.pausedByName ? `Paused by ${facts.pausedByName}` : 'Paused');
