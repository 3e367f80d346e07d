import { Failure } from '../../core/http/failure.dto.js';

export class ReconciledSums {
  /** In micros of the account's currency, as digits. */
  costMicros: string;
  clicks: number;
  impressions: number;
}

/** Consecutive days of an account and a stream whose sums differ from the platform's totals for the same reason. */
export class ReconciliationDifference {
  /**
   * - `lost`: rows are missing. The days are loaded again.
   * - `restated`: the platform changed settled days. The days are loaded again.
   * - `late`: the days may still change, or were last read while they could. The next run reads them.
   * - `excluded`: the stream lists only a part of the account's total, is no longer selected, or reading again returned the same rows.
   */
  kind: 'lost' | 'restated' | 'late' | 'excluded';
  /** Why the kind was chosen, as a sentence. */
  reason: string;
  stream: string;
  /** The provider's id of the account. */
  accountId: string;
  accountName: string;
  /** ISO 4217 currency of both costs; null: not known. */
  currency: string | null;
  /** First day, in the account's calendar. */
  from: string;
  /** Last day. */
  to: string;
  days: number;
  /** Sums of the loaded rows over these days. */
  loaded: ReconciledSums;
  /** The platform's totals of the account over these days. */
  platform: ReconciledSums;
}

/** What the user's choice leaves out, so that it is not compared. */
export class ReconciliationExclusion {
  /**
   * - `accounts`: accounts of the app that are not selected in the source.
   * - `streams`: streams that are not selected in the connection.
   * - `columns`: columns that are not written. They are still read and change no total.
   * - `days`: accounts whose first days are before the start of the history.
   */
  kind: 'accounts' | 'streams' | 'columns' | 'days';
  /** Why it is excluded, as a sentence. */
  reason: string;
  count: number;
  /** At most 20 of them. */
  names: string[];
}

/** One comparison of loaded days with the platform's totals of the accounts. */
export class ReconciliationEntry {
  id: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'skipped';
  /** What requested it: `night` or `user`. */
  trigger: string;
  /** Name of the user who requested it; null for the nightly one. */
  requestedBy: string | null;
  requestedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** Accounts whose totals were read. */
  accounts: number;
  /** Accounts whose totals could not be read. */
  skippedAccounts: number;
  /** Accounts of the app that are not part of the source, and therefore not compared. `exclusions` names them. */
  excludedAccounts: number;
  /** Requests to the platform. */
  apiCalls: number;
  /** Compared account-days, over all streams. */
  accountDays: number;
  lateAccountDays: number;
  restatedAccountDays: number;
  excludedAccountDays: number;
  lostAccountDays: number;
  /** At most 100 ranges of days, the most serious first. */
  differences: ReconciliationDifference[];
  /** At most one of a kind. */
  exclusions: ReconciliationExclusion[];
  /** The run that loads lost and restated days again. */
  runId: string | null;
  /** Why it failed or was skipped. */
  failure: Failure | null;
}

export class ConnectionReconciliation {
  /** False if the source has no totals of its accounts: custom apps. */
  isReconciled: boolean;
  /** The reconciliation that is queued or running. */
  current: ReconciliationEntry | null;
  /** The last finished one. */
  last: ReconciliationEntry | null;
}
