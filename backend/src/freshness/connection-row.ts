import type { FreshnessTarget } from '../connections/index.js';
import type { AdAccountEntry, Failure } from '../core/http/failure.dto.js';

/** A connection with what its freshness depends on. */
export interface ConnectionRow {
  id: string;
  name: string;
  target: FreshnessTarget | null;
  historyFrom: string;
  completeThrough: string | null;
  accounts: AdAccountEntry[];
  isClosed: boolean;
  desired: 'active' | 'paused';
  pausedReason: string | null;
  /** Display name of the app whose access has expired; null: both ends are connected. */
  expiredApp: string | null;
  hasActiveRun: boolean;
  /** Failure of the last run; null: it did not fail. */
  failure: Failure | null;
}

/** A row of `freshness_days`. */
export interface StoredDay {
  connectionId: string;
  day: string;
  state: 'waiting' | 'late' | 'complete';
  dueAt: Date;
  /** Its deadline passed while runs were stopped. */
  isExcused: boolean;
  lateAt: Date | null;
  completedAt: Date | null;
}
