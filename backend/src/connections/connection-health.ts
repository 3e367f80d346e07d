import type { RunStateName } from '../sync/index.js';
import type { Health } from './connections.dto.js';

/** What is known of a connection when its health is asked for. */
export interface HealthFacts {
  desired: 'active' | 'paused';
  pausedByName: string | null;
  /** Whether it waits for somebody to pay. */
  isClosed: boolean;
  /** Whose access has ended; null while both live. `isTyped`: its credentials are typed in, not signed in to. */
  deadApp: { side: 'source' | 'destination'; providerName: string; isTyped: boolean } | null;
  isDestinationBroken: boolean;
  providerName: string;
  /** State of the newest run that ended; null when none has. */
  lastEndedState: RunStateName | null;
  failedInARow: number;
  failureMessage: string | null;
  failureClass: string | null;
  /** Whose answer a waiting run waits for, from the code of its failure; null when it is neither of the two ends. */
  waitsFor: string | null;
  activeState: RunStateName | null;
  /** True while a run is bringing days for the first time. */
  isFirstLoad: boolean;
  percentLoaded: number;
  /** Newest day that has arrived complete; null while there is none. */
  newestComplete: string | null;
  /** The day up to which data should have arrived by now; null when the schedule cannot say. */
  dueThrough: string | null;
  /** Last day that could be complete: yesterday. */
  wantedThrough: string;
  accountsMissing: number;
  accounts: number;
}

/** The worst that applies, and one line that says why. */
export function healthOf(facts: HealthFacts): { health: Health; healthReason: string } {
  if (facts.desired === 'paused') return { health: 'paused', healthReason: pausedReason(facts) };
  if (facts.isClosed) return { health: 'paused', healthReason: 'Waits for the subscription' };
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
  { health: 'needs_reauth', applies: (facts) => facts.deadApp !== null, reason: deadReason },
  {
    health: 'failing',
    applies: (facts) => facts.lastEndedState === 'failed' || (facts.isDestinationBroken && facts.lastEndedState !== null),
    reason: (facts) =>
      facts.failedInARow > 1 ? `${facts.failedInARow} runs failed in a row` : (facts.failureMessage ?? 'The last run failed'),
  },
  {
    health: 'stale',
    // An active run does not matter: it has not loaded anything yet.
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
      return waitsFor ? `Waiting for ${waitsFor}` : 'Waiting for the next try';
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
  return `${days} ${days === 1 ? 'day' : 'days'} behind: the newest complete day is ${newestComplete}`;
}

function deadReason({ deadApp, providerName }: HealthFacts): string {
  return deadApp?.isTyped
    ? `${deadApp.providerName} refuses the credentials`
    : `${deadApp?.providerName ?? providerName} sign-in ended`;
}

const pausedReason = (facts: HealthFacts): string => (facts.pausedByName ? `Paused by ${facts.pausedByName}` : 'Paused');
