import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import { Failure } from '../../core/http/failure.dto.js';
import { PageQuery } from '../../core/http/page.dto.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';

export const RUN_STATES = [
  'queued',
  'running',
  'waiting',
  'verifying',
  'succeeded',
  'partial',
  'unverified',
  'failed',
  'cancelled',
  'skipped',
] as const;
export type RunStateName = (typeof RUN_STATES)[number];
export type RunKindName = 'scheduled' | 'manual' | 'backfill' | 'catch_up' | 'repair' | 'test';
export type RunTrackName = 'regular' | 'reload' | 'backfill';
export type RunStepName = 'plan' | 'extract' | 'stage' | 'load' | 'verify' | 'commit';

export class RunWindow {
  /** First day, in the accounts' time zones. */
  from: string;
  /** Last day. */
  to: string;
  /** How many of these days the run loads. A repair leaves out the days between those that differ. */
  days: number;
}

export class RowsAndCost {
  rows: number;
  /** Sum in micros of the accounts' currencies, as digits. */
  costMicros: string;
}

/** Comparison of the totals of source and destination. */
export class Verification {
  /** Whether the destination has as many rows as the source returned. */
  rows: boolean;
  /** Whether the destination has the same cost as the source returned. */
  cost: boolean;
  /** Totals of the source. */
  expected: RowsAndCost;
  /** Totals that the destination reports. */
  found: RowsAndCost;
}

export class RunSummary {
  id: string;
  connectionId: string;
  kind: RunKindName;
  /**
   * What requested it: `first_run`, `schedule`, `user`, `reconnect`, `destination` (it was moved), `audit` (days at the destination
   * differed), `reconciliation` (days at the source had changed) or `subscription`.
   */
  trigger: string;
  /** Whether no earlier run of the connection had loaded anything when it was requested. Reloads and backfills are never an initial load. */
  isInitialLoad: boolean;
  /** Name of the user who started it. */
  actor: string | null;
  /** Null until planned. */
  window: RunWindow | null;
  /** `succeeded` means verified. */
  state: RunStateName;
  /** Whether it has made no progress for two minutes: no row read, no response received, no slice completed. */
  isStuck: boolean;
  /** Whether a manual run starts when this one ends, because it was requested while this one was active. */
  hasFollowUp: boolean;
  step: RunStepName | null;
  /** Loaded, failed and skipped slices. */
  slicesDone: number;
  slicesTotal: number;
  /** Slices whose rows differ, are not verified yet, or could not be read. */
  slicesFailed: number;
  /** Slices that were not read, such as those of an account without access. */
  slicesSkipped: number;
  rowsRead: number;
  rowsWritten: number;
  rowsRejected: number;
  /** Bytes sent to the destination. */
  bytes: number;
  /** Requests to the platform, and to a destination that is called over HTTP (BigQuery, Mixpanel). */
  apiCalls: number;
  quotaWaitMs: number;
  /** When a waiting run resumes. */
  resumeAt: string | null;
  failure: Failure | null;
  /** Null until something was compared. */
  verify: Verification | null;
  queuedAt: string;
  startedAt: string | null;
  endedAt: string | null;
}

export class RunAttempt {
  n: number;
  startedAt: string;
  endedAt: string | null;
  failure: Failure | null;
}

export class RunSliceEntry {
  id: string;
  stream: string;
  accountId: string;
  accountName: string;
  currency: string;
  from: string;
  to: string;
  /** `unverified`: the rows, or the absence of rows, could not be verified yet. The next run reads them again. */
  state: 'pending' | 'running' | 'done' | 'unverified' | 'failed' | 'skipped';
  attempts: number;
  /** When a slice with a transient error is retried; null for other slices. */
  resumeAt: string | null;
  rows: number;
  costMicros: string;
  /** Micros of the provider's total if the stream lists only a part of it, such as search terms; null for other streams. */
  totalCostMicros: string | null;
  failure: Failure | null;
}

export class AccountVerification {
  accountId: string;
  accountName: string;
  currency: string;
  rowsExpected: number;
  rowsFound: number;
  costMicrosExpected: string;
  costMicrosFound: string;
  isEqual: boolean;
  slices: number;
  /** Slices that were read and compared. The sums contain these only. */
  slicesCompared: number;
  /** Compared slices whose rows the destination accepted and does not show yet. */
  slicesLate: number;
}

export class RunLogLine {
  /** Increases within the log, as digits. Other lines may be between two lines of a run. */
  position: string;
  at: string;
  level: 'info' | 'warn' | 'error';
  message: string;
}

export class RunRequestLine {
  at: string;
  method: string;
  /** Without secrets. */
  url: string;
  status: number | null;
  durationMs: number;
  providerRequestId: string | null;
}

/**
 * Milliseconds in each step; null while not known. Slices are loaded in parallel: `extract`, `stage`, `load` and `verify` are sums over
 * the slices. `commit` is the time from the last slice to the end of the run.
 */
export class RunStepDurations {
  plan: number | null;
  extract: number | null;
  stage: number | null;
  load: number | null;
  verify: number | null;
  commit: number | null;
}

export class RunDetail extends RunSummary {
  stepMs: RunStepDurations;

  /** The last 100. */
  attempts: RunAttempt[];
  /** The first 1,000 of `slicesTotal`: failed slices first, then unfinished slices. */
  slices: RunSliceEntry[];
  /** By account. */
  verification: AccountVerification[];
  /** At most 500 log lines, oldest first. Of a longer log, warnings and errors are kept first, then the newest lines. */
  log: RunLogLine[];
  /** The `cursor` of the page `GET …/log?order=newest` that continues before the newest lines. Null: `log` has all lines. */
  olderLogCursor: string | null;
  /** The last 200 requests, oldest first. */
  requests: RunRequestLine[];
}

export class RunPage {
  items: RunSummary[];
  nextCursor: string | null;
}

export class RunLogPage {
  items: RunLogLine[];
  nextCursor: string | null;
}

export class RunLogQuery extends PageQuery {
  /** The lines that the first page starts with. */
  @ApiPropertyOptional()
  @MayBeMissing()
  @IsIn(['oldest', 'newest'])
  order: 'oldest' | 'newest' = 'oldest';
}

export class RunsQuery extends PageQuery {
  /** Only runs of this connection. */
  @MayBeMissing()
  @IsUUID()
  connectionId?: string;

  /** Only runs in this state. */
  @MayBeMissing()
  @IsIn(RUN_STATES)
  state?: RunStateName;
}

export class EventsQuery {
  /** Only events of this connection: `run`, `connection` and `test_bench`. */
  @MayBeMissing()
  @IsUUID()
  connectionId?: string;
}

/** Current progress of a run, as sent by the live stream. */
export class RunProgress {
  runId: string;
  connectionId: string;
  kind: RunKindName;
  /** A connection has one active run of each track: runs of a backfill and reloads run beside the regular run. */
  track: RunTrackName;
  /** Whether it has made no progress for two minutes. */
  isStuck: boolean;
  state: RunStateName;
  step: RunStepName | null;
  slicesDone: number;
  slicesTotal: number;
  rowsRead: number;
  rowsWritten: number;
  apiCalls: number;
  quotaWaitMs: number;
  /** When a waiting run continues; null for other runs. */
  resumeAt: string | null;
  /** Why a waiting run waits, such as a used-up quota or a transient error; null for other runs. */
  failure: Failure | null;
  startedAt: string | null;
  rowsPerSecond: number;
  updatedAt: string;
}
