import type { RunStateName } from '../sync/index.js';
import type { Health } from './connections.dto.js';
import { dayText } from '../connectors/kit/day-text.js';
import { plural } from '../connectors/kit/plural.js';
import { type EndedAccess, expiredReason } from './expired-reason.js';

interface ExpiredApp extends EndedAccess {
  side: 'source' | 'destination';
}

/** Data from which the health of a connection is computed. */
export interface HealthFacts {
  desired: 'active' | 'paused';
  pausedByName: string | null;
  /** Paused by its policy until schema changes are decided. */
  waitsForDecision: boolean;
  /** Whether it was paused automatically, after too many failed runs. */
  isPausedByFailures: boolean;
  /** Imported, and paused until its apps are connected. */
  waitsForApps: boolean;
  /** Whether it is stopped by a missing subscription. */
  isClosed: boolean;
  /** The app that lacks access; null if both are connected. */
  expiredApp: ExpiredApp | null;
  isDestinationBroken: boolean;
  providerName: string;
  /** State of the last finished run; null if there is none. */
  lastEndedState: RunStateName | null;
  /** Of the last finished run: rows that the destination lacks; negative: rows too many; 0: other values. Null: no difference. */
  rowsLost: number | null;
  destinationName: string;
  failedInARow: number;
  failureMessage: string | null;
  failureClass: string | null;
  /**
   * Display name of the platform that a waiting run waits for, from the code of its failure; null if it waits for neither end.
   */
  waitsFor: string | null;
  /** Consecutive transient errors of the active run since it last loaded something. */
  activeFaults: number;
  activeFailureMessage: string | null;
  activeState: RunStateName | null;
  /** True while a run loads days for the first time. */
  isFirstLoad: boolean;
  percentLoaded: number;
  /** Share of the days of the active backfill that is loaded; null if there is none. */
  backfillPercent: number | null;
  /** Day up to which all accounts and streams are complete; before the history if one has no data. Null if none has data. */
  reachedThrough: string | null;
  /** Newest complete day of the accounts and streams that have data; null if none has. */
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
  if (facts.desired === 'paused') return healthOfPaused(facts);
  if (facts.isClosed) return { health: 'paused', healthReason: 'Waiting for a subscription' };
  const applying = RULES.find((rule) => rule.applies(facts));
  return applying
    ? { health: applying.health, healthReason: applying.reason(facts) }
    : { health: 'healthy', healthReason: 'Every row verified' };
}

/** With the waits between retries, three errors take at least 35 seconds. A single one is not worth a warning. */
const FAULTS_UNTIL_FAILING = 3;

interface Rule {
  health: Health;
  applies(facts: HealthFacts): boolean;
  reason(facts: HealthFacts): string;
}

/** Worst first. */
const RULES: Rule[] = [
  {
    health: 'needs_reauth',
    applies: (facts) => facts.expiredApp !== null,
    reason: ({ expiredApp }) => (expiredApp ? expiredReason(expiredApp) : ''),
  },
  {
    health: 'failing',
    applies: (facts) => facts.lastEndedState === 'failed' || (facts.isDestinationBroken && facts.lastEndedState !== null),
    reason: (facts) =>
      facts.failedInARow > 1
        ? `${facts.failedInARow} runs failed in a row`
        : (lossOf(facts) ?? facts.failureMessage ?? 'The last run failed'),
  },
  {
    health: 'failing',
    applies: (facts) =>
      facts.activeState === 'waiting' && facts.failureClass !== 'quota' && facts.activeFaults >= FAULTS_UNTIL_FAILING,
    reason: (facts) => facts.activeFailureMessage ?? 'The active run is being retried',
  },
  {
    health: 'stale',
    // An active run does not count, because it has not loaded anything yet.
    applies: ({ newestComplete, dueThrough }) => newestComplete !== null && dueThrough !== null && newestComplete < dueThrough,
    // Lost rows are the cause of the delay.
    reason: (facts) => lossOf(facts) ?? staleReason(facts),
  },
  {
    health: 'partial',
    applies: (facts) => facts.lastEndedState === 'partial',
    reason: (facts) => lossOf(facts) ?? accountsReason(facts),
  },
  {
    health: 'unverified',
    applies: (facts) => facts.lastEndedState === 'unverified',
    reason: () => 'Rows were sent and are not verified yet',
  },
  {
    health: 'rate_limited',
    applies: (facts) => facts.activeState === 'waiting' && facts.failureClass === 'quota',
    reason: ({ waitsFor }) => (waitsFor ? `${waitsFor} throttles requests` : 'A platform throttles requests'),
  },
  {
    health: 'backfilling',
    applies: (facts) => facts.activeState !== null && facts.isFirstLoad,
    reason: (facts) => `Initial load, ${facts.percentLoaded}% loaded`,
  },
  {
    health: 'backfilling',
    applies: ({ backfillPercent }) => backfillPercent !== null,
    reason: ({ backfillPercent }) => `Backfill, ${backfillPercent ?? 0}% loaded`,
  },
  {
    // Days inside the history that a reload, a backfill or an audit found missing, after the last regular run had succeeded.
    health: 'partial',
    applies: ({ lastEndedState, accountsMissing }) => lastEndedState === 'succeeded' && accountsMissing > 0,
    reason: (facts) => accountsReason(facts),
  },
  {
    health: 'backfilling',
    applies: (facts) => isHistoryIncomplete(facts) && facts.activeState !== null,
    reason: ({ percentLoaded }) => `Loading added days, ${percentLoaded}% loaded`,
  },
  {
    health: 'partial',
    applies: (facts) => isHistoryIncomplete(facts) && facts.lastEndedState === 'succeeded',
    reason: () => 'Days of an account or stream are not loaded yet',
  },
  { health: 'never_run', applies: (facts) => facts.lastEndedState === null, reason: () => 'No run has ended yet' },
];

/**
 * Days that no run has planned yet are not stored as missing: those of an added account or stream, or before the former start of the
 * history.
 */
const isHistoryIncomplete = ({ reachedThrough, newestComplete, dueThrough }: HealthFacts): boolean =>
  reachedThrough !== null &&
  newestComplete !== null &&
  reachedThrough < newestComplete &&
  // An account in whose time zone the first day is not over yet is not late.
  (dueThrough === null || reachedThrough < dueThrough);

/** What differs at the destination, over all accounts: one failure names one account only. */
function lossOf({ rowsLost, destinationName }: HealthFacts): string | null {
  if (rowsLost === null) return null;
  if (rowsLost === 0) return `Other values in ${destinationName} than sent`;
  const rows = `${Math.abs(rowsLost).toLocaleString('en-US')} ${Math.abs(rowsLost) === 1 ? 'row' : 'rows'}`;
  return rowsLost > 0 ? `${rows} missing in ${destinationName}` : `${rows} too many in ${destinationName}`;
}

const accountsReason = ({ accountsMissing, accounts }: HealthFacts): string =>
  accountsMissing > 0
    ? `${accountsMissing} of ${accounts} accounts incomplete`
    : 'Days that may still change were not all read again';

function staleReason({ newestComplete, wantedThrough }: HealthFacts): string {
  const days = Math.round((Date.parse(wantedThrough) - Date.parse(newestComplete ?? wantedThrough)) / 86_400_000);
  return `${plural(days, 'day')} behind: the newest complete day is ${dayText(newestComplete ?? wantedThrough)}`;
}

/** An ended sign-in is shown even if the connection is paused, because resuming it would not help. */
function healthOfPaused(facts: HealthFacts): { health: Health; healthReason: string } {
  if (facts.expiredApp) return { health: 'needs_reauth', healthReason: `Paused. ${expiredReason(facts.expiredApp)}` };
  return { health: 'paused', healthReason: pausedReason(facts) };
}

function pausedReason({ isPausedByFailures, pausedByName, waitsForDecision, waitsForApps }: HealthFacts): string {
  if (waitsForApps) return 'Imported, paused until its apps are connected';
  if (waitsForDecision) return 'Schema changes wait for a decision';
  if (isPausedByFailures) return 'Paused after too many failed runs';
  return pausedByName ? `Paused by ${pausedByName}` : 'Paused';
}
