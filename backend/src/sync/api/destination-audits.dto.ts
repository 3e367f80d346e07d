import { Failure } from '../../core/http/failure.dto.js';

/** Days in a row that differ from what was loaded. */
export class AuditDifference {
  stream: string;
  /** As the destination calls it. */
  table: string;
  /** The provider's id of the account. */
  accountId: string;
  accountName: string;
  /** ISO 4217; both costs are in it. */
  currency: string;
  /** First day, in the account's calendar. */
  from: string;
  /** Last day. */
  to: string;
  days: number;
  /** Rows that were loaded and are no longer there, added up over the days. */
  rowsMissing: number;
  /** Rows that are there and were not loaded. */
  rowsExtra: number;
  /** In micros of the currency; digits. */
  costMissingMicros: string;
  /** In micros of the currency; digits. */
  costExtraMicros: string;
  /** Columns of the stream that the table lacks or holds as another type. */
  lostColumns: string[];
}

/** One comparison of a destination with what was loaded. */
export class DestinationAuditEntry {
  id: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  /** What requested it: `night` or `user`. */
  trigger: string;
  /** Name of who requested it; null for the nightly audit. */
  requestedBy: string | null;
  requestedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** Tables compared. */
  tables: number;
  /** Account-days compared, over all tables. */
  accountDays: number;
  /** Account-days among them whose other columns are not known, because they were loaded before every column was summed. */
  accountDaysBySums: number;
  /** Rows the destination holds in these days. */
  rows: number;
  /** Account-days that differ. They are missing until they are loaded again. */
  differingAccountDays: number;
  /** At most 100 ranges of days. */
  differences: AuditDifference[];
  /** The run that loads what differs again. */
  runId: string | null;
  failure: Failure | null;
}

export class ConnectionAudit {
  /** False where the destination cannot report its rows by account and day: Mixpanel. */
  isAudited: boolean;
  /** The audit that waits or runs now. */
  current: DestinationAuditEntry | null;
  /** The audit that ended last. */
  last: DestinationAuditEntry | null;
}
