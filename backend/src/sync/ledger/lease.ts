import type { Day, DayTotals } from '../../connectors/kit/contract.js';
import type { RunKind, RunTrack } from '../../generated/prisma/client.js';
import type { ResyncScope } from '../run/run-scope.js';
import type { StepMs } from '../run/step-clock.js';
import type { SliceMetrics } from '../run/slice-metrics.js';
import type { SliceRow } from './sync.queries.js';

/** The right to work on a run. A later claim gets a higher epoch, and all writes with the old epoch are rejected. */
export interface Lease {
  organizationId: string;
  runId: string;
  connectionId: string;
  epoch: bigint;
  isPlanned: boolean;
  kind: RunKind;
  track: RunTrack;
  /** Null: the run loads into the tables of the connection. */
  resync: ResyncScope | null;
  /** Consecutive transient errors, without those of a used-up quota. */
  faults: number;
  /** Consecutive errors because of a used-up quota. */
  quotaFaults: number;
  /** Attempts that ended with an internal error. */
  internalErrors: number;
  /** Worker crashes while they worked on the run, since the last completed slice. */
  workerDeaths: number;
  /** When a worker first claimed the run. */
  startedAt: Date;
  /** Whether another run starts when this one ends. Set once it has ended. */
  hasFollowUp?: boolean;
}

export interface SliceOutcome {
  slice: SliceRow;
  expected: DayTotals;
  found: DayTotals;
  bytes: number;
  /** Cost of the provider's total if the stream lists only a part of it; otherwise null. */
  totalCostMicros: bigint | null;
  stepMs: StepMs;
  metrics: SliceMetrics;
  days: CoverageDay[];
  /** Time by the planner's clock: days verified today are not read again unnecessarily. */
  verifiedAt: Date;
  /** The day of `verifiedAt` in the account's calendar. */
  readOn: Day;
}

export interface CoverageDay {
  day: Day;
  state: 'loading' | 'provisional' | 'final' | 'empty_confirmed' | 'failed';
  totals: DayTotals;
  /** Null: the stream has no column of conversions, or the connection excludes it. */
  conversions: number | null;
  /** Hash of all values of the day at the destination; null if the destination cannot compute it. */
  contentHash: string | null;
}
