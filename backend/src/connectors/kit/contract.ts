/** The engine uses connectors only through these interfaces. A source yields typed rows, a destination replaces account-days. */

/** A calendar day of the ad account itself, `YYYY-MM-DD`. Never a moment in time. */
export type Day = string;

/** A provider as its folder declares it: `google_ads`. See `declaration.ts`. */
export type ProviderName = string;

/** Kinds of providers, in the order of lists. */
export const categories = ['payments', 'custom', 'advertising', 'warehouse', 'product_analytics'] as const;
export type Category = (typeof categories)[number];

/** The entity that a row describes, coarse to fine. A source reads streams down to its level. */
export const levels = ['account', 'campaign', 'ad_group', 'ad', 'keyword'] as const;
export type Level = (typeof levels)[number];

export type ColumnType = 'text' | 'bigint' | 'double' | 'date' | 'boolean';

export interface Column {
  name: string;
  type: ColumnType;
  /** Becomes the column's comment in the destination. */
  description: string;
}

/**
 * What a stream's rows are compared with, in addition to the rows read back from the destination.
 * - `exact_rows`: the provider returns the row count of the report, and all rows arrived.
 * - `control_totals`: on settled days the rows add up to the provider's own totals.
 * - `share_of_total`: the provider lists only a part (hidden search terms, breakdowns). The share of its total is shown, not enforced.
 * - `none`: the provider returns nothing to compare with.
 */
export const verifications = ['exact_rows', 'control_totals', 'share_of_total', 'none'] as const;
export type StreamVerification = (typeof verifications)[number];

/** One report of a source and the table it becomes. */
export interface Stream {
  name: string;
  title: string;
  description: string;
  /** Suffix of the destination table. The destination adds its own prefix. */
  table: string;
  columns: Column[];
  /**
   * Columns that identify a row: account, day, ids and segments only. Names and statuses are never part of the key, since they
   * can change without creating another row.
   */
  key: string[];
  /** The entity that a row describes. */
  level: Level;
  /** Additional dimensions that split its rows, such as `country`; empty for the plain report of its level. */
  breakdowns: string[];
  /** Columns, all `bigint`, that are summed to verify that a slice arrived; null if the report has no such column. */
  metrics: Record<Metric, string | null>;
  /**
   * For a table that several platforms share: the column that identifies the platform, and its value for this stream. Slices are
   * replaced and summed within this scope.
   */
  scope?: { column: string; value: string };
  verification: StreamVerification;
  /** Reason for the lookback window, shown to the user. */
  lookbackReason: string;
}

export type Value = string | number | bigint | boolean | null;
/** A row by column name; `bigint` columns hold bigint, `date` columns hold a `Day`. */
export type Row = Record<string, Value>;

export type Metric = 'costMicros' | 'clicks' | 'impressions';

export interface MetricSums {
  rows: number;
  costMicros: bigint;
  clicks: bigint;
  impressions: bigint;
}

/** One part of one report. It is read, replaced, verified and committed as a whole. */
export interface Slice {
  stream: Stream;
  account: AdAccount;
  from: Day;
  to: Day;
}

export interface Page {
  /** The rows in the format of `row-text`. Rows are converted to text when they are validated, and never to objects. */
  lines: Buffer;
  rowCount: number;
  /** Sums of the rows by day, as read by the source. Days without rows are omitted. */
  days: DayTotals[];
  /**
   * The provider's own totals of the slice, if available; on the last page. If the rows do not add up to them, the answer is
   * truncated and never loaded.
   */
  providerTotals?: Omit<MetricSums, 'rows'>;
  /** The provider's totals that include more than the rows (`share_of_total`); on the last page. */
  shareOf?: Omit<MetricSums, 'rows'>;
  /** The provider's row count, if it returns one instead of totals; on the last page. A count of 0 verifies an empty slice. */
  providerRows?: number;
}

export interface AdAccount {
  externalId: string;
  name: string;
  currency: string;
  /** IANA name. The account's days begin and end in this time zone. */
  timeZone: string;
  /** Id of the manager account that gives access, or its name if the provider returns no id; null for direct access. */
  managerId: string | null;
  /** Name of the manager account, for the account tree. */
  managerName: string | null;
  status: 'enabled' | 'disabled' | 'closed';
  /** Why a listed account cannot be read. Such an account is not requested, and its time zone may be a placeholder. */
  problem?: string;
}

/** Everything a connector may use from outside: no process, no database, no clock. */
export interface ConnectorContext {
  signal: AbortSignal;
  /** Aborted before `signal`, when no further request of the batch is to be sent. */
  ending?: AbortSignal;
  /** Awaited before each HTTP call. The call is skipped if it throws; this enforces the call budget. */
  beforeRequest?(): Promise<void>;
  /** Called for each HTTP call, so that the run can count and show it. */
  onRequest(request: RequestRecord): void;
  /** Adds bodies to the records of requests. Only the test bench shows them. */
  recordsBodies?: boolean;
  /** Called when an answer reports quota usage, so that it can be shown. */
  onQuota?(quota: Quota): void;
  /** Awaited when a read finds an account that belongs to the read one, so that it is read too. It may be known already. */
  onAccount?(account: AdAccount): Promise<void>;
}

export interface Quota {
  /** 0 to 100. */
  usedPercent: number;
  /** When the usage decreases; null: the provider does not return it. */
  resetAt: Date | null;
}

/** A report that the provider creates asynchronously. After a crash it is resumed by its id instead of being requested again. */
export interface RemoteJob {
  /** Saved by an earlier attempt at this slice, or null. */
  readonly id: string | null;
  /** Start of the current wait for this report, over all attempts. Saving the same id begins the wait again. */
  readonly since?: Date | null;
  /** A report that takes longer ends the attempt with `ReportPending`; absent: the connector waits here. */
  readonly maxWaitMs?: number;
  /** Saves the id before waiting for the report; null when the id is no longer needed. */
  save(id: string | null): Promise<void>;
}

export interface ReadContext extends ConnectorContext {
  job: RemoteJob;
  /** Exchange rates from the account's to the organization's currency, by day; null if none is known. */
  exchange: Exchange | null;
  /** First day whose numbers the provider may still change, so that two reads may differ and both be correct; null: none. */
  provisionalFrom: Day | null;
}

export interface Exchange {
  /** The organization's currency, ISO 4217. */
  currency: string;
  /** Units of this currency for one unit of the account's currency on that day. */
  rate(from: string, day: Day): number | null;
}

/** One row as it was sent to a destination that cannot replace rows. */
export interface SentRow {
  /** The row's key as text. It never changes. */
  key: string;
  day: Day;
  /** Number of times this key was sent, from 1. */
  revision: number;
  /** What the destination contains for the key after everything planned has arrived. JSON, defined by the connector. */
  state: Record<string, Value>;
  /** Payload of this revision; null after it is confirmed. */
  planned: Record<string, unknown> | null;
}

/** The delivery ledger of such a destination, stored by the engine. Every change is fenced by the run's lease. */
export interface Deliveries {
  /** All rows of the slice's stream, account and days, including planned ones. */
  list(slice: Slice): Promise<SentRow[]>;
  /** Stored before anything is sent. Other rows do not change. */
  plan(slice: Slice, rows: SentRow[]): Promise<void>;
  /** Marks everything planned for these keys as arrived. */
  confirm(slice: Slice, keys: string[]): Promise<void>;
}

export interface WriteContext extends ConnectorContext {
  ledger: Deliveries;
  /** Columns of the slice that its pages contain as hashes. Their earlier texts in the ledger must not be sent again. */
  hashed: readonly string[];
}

export interface RequestRecord {
  method: string;
  /** Without secrets. */
  url: string;
  status: number | null;
  durationMs: number;
  providerRequestId: string | null;
  /** The sent body, if the context records bodies. Forms with secrets and binary bodies are never recorded. */
  body?: string;
}

/** Returns a valid token. Called before every request, because a run can take longer than a token is valid. */
export interface AccessTokenProvider {
  /** `refused`: the provider rejected this token before its expiry, so another one is returned. */
  accessToken(signal: AbortSignal, options?: { refused: string }): Promise<string>;
}

export interface Source {
  provider: ProviderName;
  streams: Stream[];
  /** Calls per day that the platform allows this installation. Omitted if it has no such limit. */
  dailyCalls?: { limit: number; access: string };
  listAccounts(context: ConnectorContext): Promise<AdAccount[]>;
  /** Days before today that the provider may still change for this account. */
  lookbackDays(context: ConnectorContext, account: AdAccount): Promise<number>;
  read(context: ReadContext, slice: Slice): AsyncIterable<Page>;
  /** The provider's own totals of an account, for reconciliation. Omitted if the provider has none. */
  accountTotals?(context: ConnectorContext, account: AdAccount, range: { from: Day; to: Day }): Promise<AccountTotals>;
}

/** Totals of an account, from a report of the account itself instead of its campaigns. */
export interface AccountTotals {
  /** Days without traffic are omitted. */
  days: DayTotals[];
  /** The provider rounds the cost of each row by at most this many micros, so sums may differ by it for each row. */
  rowRoundingMicros: bigint;
  /** Names of the streams whose rows add up to these totals. All other streams list only a part of them. */
  wholeStreams: string[];
}

export interface CheckItem {
  /** Stable name of the check, e.g. `connects`. */
  code: string;
  label: string;
  state: 'passed' | 'failed' | 'skipped';
  /** What was found; the cause for a failed item. Null when the label is sufficient. */
  detail: string | null;
  /** The next action for a failed item or a warning. */
  action: string | null;
  /** Passed, but with a risk for the user: see `detail`. */
  isWarning?: boolean;
  /** Class of the error of a failed item. Not part of the API. */
  failureClass?: string;
  durationMs: number;
}

export type CheckMode = 'full' | 'read_only';
/** Detail of an item that a read-only check skips. */
export const WRITES_NOTHING = 'Not tested, because this check writes nothing. "Test connection" of the destination does it.';

/** Rejects a load from a worker that has lost the run to another worker. */
export interface Fence {
  runId: string;
  leaseEpoch: bigint;
}

export interface DayTotals extends MetricSums {
  day: Day;
  /** Totals of every column; omitted by a destination that cannot read them back. */
  content?: Content;
}

/** Totals of a day's rows by column, in the order of the stream's columns. */
export interface Content {
  /** Number of cells that are not null. */
  counts: number[];
  /** The sum of each column as `content-sums` defines it; null where a column is only counted. */
  sums: (bigint | null)[];
  /** The text sums use another hash than those of the sent rows. They are comparable only with later sums of the same table. */
  hasOwnTextHash?: boolean;
}

/** Totals of a table for one account and day. */
export interface AccountDayTotals extends DayTotals {
  accountId: string;
}

/** Content of a table, as read by the audit. */
export interface TableContent {
  days: AccountDayTotals[];
  /** Columns of the stream that the table lacks or stores with another type. They count as empty. */
  lostColumns: string[];
  /** The table or a key column is missing, so nothing could be read. */
  isGone: boolean;
}

/** Where the rows of a stream are stored. */
export interface Target {
  /** Changes when rows loaded earlier are no longer there: another server or table, or a new table with the same name. */
  place: string;
  /** Display name of the table or event: `public.google_ads_campaign_daily`. */
  table: string;
  /**
   * All columns of the table by name; for events, the properties that can be filled later. The value identifies the column. A
   * changed value means another column with the same name, without the data loaded before.
   */
  columns: Record<string, string>;
}

/** By stream name. */
export type Targets = Map<string, Target>;

/** A statement, request or event of a write, exactly as a run would send it. */
export interface PreviewStep {
  /** What it does: `Create the table`. */
  title: string;
  kind: 'sql' | 'request' | 'event';
  /** The statement, the method and address of the request, or the event as JSON. */
  text: string;
  /** Values of a statement, rows of a load, body of a request; null if it has none. */
  body: string | null;
}

export interface WritePreview {
  /** Display name of the table or event. */
  target: string;
  steps: PreviewStep[];
  /** Steps and rows beyond the limits of a preview, which are not listed. */
  omittedSteps: number;
  omittedRows: number;
}

/** What a preview lists at most. */
export const PREVIEW_ROWS = 20;

export interface LoadedSlice {
  /** Rows accepted by the destination. */
  rowsWritten: number;
  bytes: number;
}

/** A new table that takes the place of a stream's table. */
export interface Replacement {
  /** The stream with the columns that are written. */
  stream: Stream;
  /** The same columns in the new table, which is loaded beside the old one. */
  beside: Stream;
  /** Days of which the new table contains all rows. All other rows of the old table are copied. */
  loaded: { accountId: string; from: Day; to: Day }[];
}

/** How a destination replaces a whole table while it is read. */
export interface TableReplacement {
  /**
   * The table that would be replaced, only with the columns whose copied values are unchanged; null if there is none. Throws if it
   * cannot be replaced. Changes nothing.
   */
  inspect(context: ConnectorContext, stream: Stream): Promise<Target | null>;
  /**
   * Whether the table of the stream contains what was loaded as `loaded`: the swap was applied. A swap that an earlier worker of the re-sync
   * left running is ended first, so the answer is final.
   */
  isSwapped(context: ConnectorContext, pair: Pick<Replacement, 'stream' | 'beside'>, loaded: Target): Promise<boolean>;
  /** Swaps the tables at once, if the fence's worker still owns the run. Readers see the old or the new table. */
  swap(context: ConnectorContext, replacement: Replacement, fence: Fence): Promise<Target>;
  /** Drops the new table. Nothing happens if there is none. */
  drop(context: ConnectorContext, beside: Stream): Promise<void>;
}

export interface Destination {
  provider: ProviderName;
  /**
   * Returns one item per check. A wrong setting never throws; it becomes a failed item. A read-only check skips the items that
   * write and delete again.
   */
  check(context: ConnectorContext, mode?: CheckMode): Promise<CheckItem[]>;
  /** Display name of the table or event of a stream. */
  tableName(stream: Stream): string;
  /** Creates or extends the streams' tables, with keys and comments. Returns where their rows are. */
  prepare(context: ConnectorContext, streams: Stream[]): Promise<Targets>;
  /** Returns where the streams' rows are now. Changes nothing. Streams without a table are omitted. */
  locate(context: ConnectorContext, streams: Stream[]): Promise<Targets>;
  /**
   * Stages the pages, then replaces every (account, day) of the slice in one transaction. If `pages` throws, nothing of the slice
   * changes. Idempotent: writing the same slice twice leaves the same rows.
   */
  write(context: WriteContext, slice: Slice, pages: AsyncIterable<Page>, fence: Fence): Promise<LoadedSlice>;
  /** Returns what `write` would send for these pages, with the preparation of the table. Reads the current state, writes nothing. */
  preview(context: WriteContext, slice: Slice, pages: AsyncIterable<Page>, fence: Fence): Promise<WritePreview>;
  /** Totals read back from the destination. Days without rows are omitted. Throws `NotVerifiedYet` where rows appear late. */
  totals(context: WriteContext, slice: Slice): Promise<DayTotals[]>;
  /** `totals` sums text with `text-hash`, so text is compared with what was sent. Otherwise only the audit compares text. */
  comparesText?: boolean;
  /** Content of a stream's table by account and day. Omitted if the destination cannot return it with one query. */
  readTable?(
    context: ConnectorContext,
    stream: Stream,
    range: { accountIds: string[]; from: Day; to: Day },
  ): Promise<TableContent>;
  /** Omitted if the destination cannot replace a table while it is read. */
  replacement?: TableReplacement;
  close(): Promise<void>;
}
