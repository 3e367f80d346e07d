/**
 * What a connector is. A source yields pages of typed rows; a destination replaces whole (account, day) slices and reports
 * back what it holds. The engine in `sync` knows nothing else about a provider.
 */

/** A calendar day of the ad account itself, `YYYY-MM-DD`. Never a moment in time. */
export type Day = string;

export type ProviderName = 'google_ads' | 'postgresql';

export type ColumnType = 'text' | 'bigint' | 'double' | 'date' | 'boolean';

export interface Column {
  name: string;
  type: ColumnType;
  /** Reaches the destination as the column's comment. */
  description: string;
}

/** One report of a source and the table it becomes. */
export interface Stream {
  name: string;
  title: string;
  description: string;
  /** Suffix of the destination table; the destination puts its own prefix before it. */
  table: string;
  columns: Column[];
  /**
   * Columns that identify a row: account, day, ids and segments only. Never a name or a status, which change without
   * making another row.
   */
  key: string[];
  /** Columns summed to prove that a slice arrived. */
  metrics: { costMicros: string; clicks: string; impressions: string };
  /** Why the look-back exists, for the reader who wonders. */
  lookbackReason: string;
}

export type Value = string | number | bigint | boolean | null;
/** A row by column name; `bigint` columns hold bigint, `date` columns hold a `Day`. */
export type Row = Record<string, Value>;

export interface MetricSums {
  rows: number;
  costMicros: bigint;
  clicks: bigint;
  impressions: bigint;
}

/** One part of one report: what is read, replaced, verified and committed as a whole. */
export interface Slice {
  stream: Stream;
  account: AdAccount;
  from: Day;
  to: Day;
}

export interface Page {
  /** The rows as `row-text` describes it: they are made to text where they are checked, and never to objects. */
  lines: Buffer;
  rowCount: number;
  /** Sums of the rows by day, as the source has read them; days without rows are left out. */
  days: DayTotals[];
  /**
   * The provider's own totals of the slice, where it offers them; on the last page. Rows that do not add up to them mean
   * a truncated answer, which is never loaded.
   */
  providerTotals?: Omit<MetricSums, 'rows'>;
}

export interface AdAccount {
  externalId: string;
  name: string;
  currency: string;
  /** IANA name; the account's days begin and end here. */
  timeZone: string;
  /** The manager through which the account is reached, or null for direct access. */
  managerId: string | null;
  status: 'enabled' | 'disabled' | 'closed';
}

/** What a connector may use of the world: no process, no database, no clock of its own. */
export interface ConnectorContext {
  signal: AbortSignal;
  /** Called for each HTTP call made, so that the run can count and show them. */
  onRequest(request: RequestRecord): void;
}

export interface RequestRecord {
  method: string;
  /** Without secrets. */
  url: string;
  status: number | null;
  durationMs: number;
  providerRequestId: string | null;
}

/** Gives a token that is valid now; asked before every request, because a run outlives a token. */
export interface AccessTokenProvider {
  /** `isRefreshForced`: the provider has just refused the last one, whatever its expiry said. */
  accessToken(signal: AbortSignal, options?: { isRefreshForced: boolean }): Promise<string>;
}

export interface Source {
  provider: ProviderName;
  streams: Stream[];
  listAccounts(context: ConnectorContext): Promise<AdAccount[]>;
  /** Days before today that the provider may still change, for this account. */
  lookbackDays(context: ConnectorContext, account: AdAccount): Promise<number>;
  read(context: ConnectorContext, slice: Slice): AsyncIterable<Page>;
}

export interface CheckItem {
  /** Stable name of the check, e.g. `connects`. */
  code: string;
  label: string;
  state: 'passed' | 'failed' | 'skipped';
  /** What was found; for a failed item what is wrong. Null when the label says it all. */
  detail: string | null;
  /** The one thing to do about a failed item. */
  action: string | null;
  durationMs: number;
}

/** Refuses a load by anybody who has lost the run to another worker. */
export interface Fence {
  runId: string;
  leaseEpoch: bigint;
}

export interface DayTotals extends MetricSums {
  day: Day;
}

export interface LoadedSlice {
  /** Rows the destination took. */
  rowsWritten: number;
  bytes: number;
}

export interface Destination {
  provider: ProviderName;
  /** Itemised; never throws for a wrong setting, but says it in the item. */
  check(context: ConnectorContext): Promise<CheckItem[]>;
  /** The table a stream is written to, as a DBA would name it. */
  tableName(stream: Stream): string;
  /** Makes or widens the stream's table, with keys and comments. */
  prepare(context: ConnectorContext, streams: Stream[]): Promise<void>;
  /**
   * Stages the pages, then replaces every (account, day) of the slice in one transaction. When `pages` throws, nothing of
   * the slice has changed. The same slice again leaves the same rows.
   */
  write(context: ConnectorContext, slice: Slice, pages: AsyncIterable<Page>, fence: Fence): Promise<LoadedSlice>;
  /** What the destination holds now, read back from it: days without rows are left out. */
  totals(context: ConnectorContext, slice: Slice): Promise<DayTotals[]>;
  close(): Promise<void>;
}
