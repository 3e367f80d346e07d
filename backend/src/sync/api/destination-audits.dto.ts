import { Failure } from '../../core/http/failure.dto.js';

/** Consecutive days whose rows at the destination differ from the loaded rows. */
export class AuditDifference {
  stream: string;
  /** Name of the table at the destination. */
  table: string;
  /** The provider's id of the account. */
  accountId: string;
  accountName: string;
  /** ISO 4217 currency of both costs. */
  currency: string;
  /** First day, in the account's time zone. */
  from: string;
  /** Last day. */
  to: string;
  days: number;
  /** Loaded rows that are missing at the destination, summed over the days. */
  rowsMissing: number;
  /** Rows at the destination that were not loaded. */
  rowsExtra: number;
  /** In micros of the currency, as digits. */
  costMissingMicros: string;
  /** In micros of the currency, as digits. */
  costExtraMicros: string;
  /** Columns of the stream that are missing from the table or have another type. */
  lostColumns: string[];
}

/** One comparison of a destination with the loaded data. */
export class DestinationAuditEntry {
  id: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  /** What requested it: `night` or `user`. */
  trigger: string;
  /** Name of the user who requested it; null for the nightly audit. */
  requestedBy: string | null;
  requestedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** Number of tables compared. */
  tables: number;
  /** Account-days compared, over all tables. */
  accountDays: number;
  /** Account-days among them of which only the sums are compared, because they were loaded before every column was summed. */
  accountDaysBySums: number;
  /** Rows at the destination on these days. */
  rows: number;
  /** Account-days that differ. They count as missing until they are loaded again. */
  differingAccountDays: number;
  /** At most 100 ranges of days. */
  differences: AuditDifference[];
  /** The run that loads the differing days again. */
  runId: string | null;
  failure: Failure | null;
}

export class ConnectionAudit {
  /** False if the destination cannot report its rows by account and day: Mixpanel. */
  isAudited: boolean;
  /** The audit that is queued or running. */
  current: DestinationAuditEntry | null;
  /** The last finished audit. */
  last: DestinationAuditEntry | null;
}
