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
export type RunStepName = 'plan' | 'extract' | 'stage' | 'load' | 'verify' | 'commit';

export class RunWindow {
  /** First day, in the accounts' own calendars. */
  from: string;
  /** Last day. */
  to: string;
}

export class RowsAndCost {
  rows: number;
  /** In micros of the accounts' currencies, added up; digits. */
  costMicros: string;
}

/** Both ends, counted. */
export class Verification {
  /** Whether as many rows were found as were read. */
  rows: boolean;
  /** Whether the same cost was found as was read. */
  cost: boolean;
  /** What the source gave. */
  expected: RowsAndCost;
  /** What the destination reports back. */
  found: RowsAndCost;
}

export class RunSummary {
  id: string;
  connectionId: string;
  kind: RunKindName;
  /** What requested it: `first_run`, `schedule`, `user`, `reconnect`, `destination` (it was moved), `audit` (days differed) or `subscription`. */
  trigger: string;
  /** Name of who started it. */
  actor: string | null;
  /** Null until planned. */
  window: RunWindow | null;
  /** `succeeded` means verified. */
  state: RunStateName;
  /** Whether it has made no progress for two minutes: no row read, no request answered, no slice completed. */
  isStuck: boolean;
  /** Whether a manual run starts when this one ends, because it was requested while this one was active. */
  hasFollowUp: boolean;
  step: RunStepName | null;
  slicesDone: number;
  slicesTotal: number;
  rowsRead: number;
  rowsWritten: number;
  rowsRejected: number;
  /** Bytes sent to the destination. */
  bytes: number;
  /** Calls made to the provider. */
  apiCalls: number;
  quotaWaitMs: number;
  /** When a waiting run goes on. */
  resumeAt: string | null;
  failure: Failure | null;
  /** Null as long as nothing was compared. */
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
  /** `unverified`: what was sent, or that there is nothing, is not verified yet; the next run looks again. */
  state: 'pending' | 'running' | 'done' | 'unverified' | 'failed' | 'skipped';
  attempts: number;
  /** When a slice that met a transient error is tried again; null for all others. */
  resumeAt: string | null;
  rows: number;
  costMicros: string;
  /** Micros of the provider's total of which the stream lists only a part, such as search terms; null for other streams. */
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
}

export class RunLogLine {
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

export class RunDetail extends RunSummary {
  /** The last 100. */
  attempts: RunAttempt[];
  /** The first 1,000 of `slicesTotal`: those that failed, then those that are not done. */
  slices: RunSliceEntry[];
  /** By account. */
  verification: AccountVerification[];
  /** The last 500 sentences, oldest first. */
  log: RunLogLine[];
  /** The last 200 requests, oldest first. */
  requests: RunRequestLine[];
}

export class RunPage {
  items: RunSummary[];
  nextCursor: string | null;
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
  /** Only what concerns this connection. */
  @MayBeMissing()
  @IsUUID()
  connectionId?: string;
}

/** Where a run stands right now, as the live stream says it. */
export class RunProgress {
  runId: string;
  connectionId: string;
  kind: RunKindName;
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
  resumeAt: string | null;
  startedAt: string | null;
  rowsPerSecond: number;
  updatedAt: string;
}
