/**
 * What a connector is. A source yields pages of typed rows; a destination replaces whole (account, day) slices and reports
 * back what it holds. The engine in `sync` knows nothing else about a provider.
 */

/** A calendar day of the ad account itself, `YYYY-MM-DD`. Never a moment in time. */
export type Day = string;

export const sourceProviders = ['google_ads', 'meta_ads', 'microsoft_ads'] as const;
export const destinationProviders = ['bigquery', 'mixpanel', 'postgresql'] as const;
export type SourceProvider = (typeof sourceProviders)[number];
export type DestinationProvider = (typeof destinationProviders)[number];
export type ProviderName = SourceProvider | DestinationProvider;
/** Whose account an app is; `custom` is nobody's: events are pushed to it. */
export type AppProvider = ProviderName | 'custom';

/** What a row is about, coarse to fine. A source reads the streams down to its level. */
export const levels = ['account', 'campaign', 'ad_group', 'ad', 'keyword'] as const;
export type Level = (typeof levels)[number];

export type ColumnType = 'text' | 'bigint' | 'double' | 'date' | 'boolean';

export interface Column {
  name: string;
  type: ColumnType;
  /** Reaches the destination as the column's comment. */
  description: string;
}

/**
 * What a stream's rows are compared with, beside what the destination reports back.
 * - `exact_rows`: the provider counts the rows of the report, and each of them arrived.
 * - `control_totals`: on settled days the rows add up to the provider's own totals.
 * - `share_of_total`: the provider lists only a part (hidden search terms, breakdowns); how much of its total is shown, not enforced.
 * - `none`: the provider offers nothing to compare with.
 */
export const verifications = ['exact_rows', 'control_totals', 'share_of_total', 'none'] as const;
export type StreamVerification = (typeof verifications)[number];

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
  /** What a row of it is about. */
  level: Level;
  /** Into what else its rows are split, such as `country`; none for the plain report of its level. */
  breakdowns: string[];
  /** Columns, all `bigint`, summed to prove that a slice arrived; null where the report has no such column. */
  metrics: Record<Metric, string | null>;
  /**
   * For a table that several platforms share: the column that says whose row it is, and its value for this stream. Slices
   * are then replaced and summed within it.
   */
  scope?: { column: string; value: string };
  verification: StreamVerification;
  /** Why the look-back exists, for the reader who wonders. */
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
  /** The provider's totals of which the rows are a share (`share_of_total`); on the last page. */
  shareOf?: Omit<MetricSums, 'rows'>;
  /** Where the provider counts its rows instead: how many there are; on the last page. Proves an empty slice as totals of zero do. */
  providerRows?: number;
}

export interface AdAccount {
  externalId: string;
  name: string;
  currency: string;
  /** IANA name; the account's days begin and end here. */
  timeZone: string;
  /** The manager through which the account is reached, or its name where the provider gives no id; null for direct access. */
  managerId: string | null;
  /** Its name, for the tree in which accounts are chosen. */
  managerName: string | null;
  status: 'enabled' | 'disabled' | 'closed';
  /** Why the account cannot be read although it is listed; nothing is asked of it then, and its time zone may stand for another. */
  problem?: string;
}

/** What a connector may use of the world: no process, no database, no clock of its own. */
export interface ConnectorContext {
  signal: AbortSignal;
  /** Awaited before each HTTP call, which is not made when it throws: that is how a budget of calls is held. */
  beforeRequest?(): Promise<void>;
  /** Called for each HTTP call made, so that the run can count and show them. */
  onRequest(request: RequestRecord): void;
  /** Called when an answer tells how much of a limit is used, so that it can be shown. */
  onQuota?(quota: Quota): void;
}

export interface Quota {
  /** 0 to 100. */
  usedPercent: number;
  /** When it will be less; null: the provider does not say. */
  resetAt: Date | null;
}

/** A report that the provider makes on its own time: a crash resumes it by its id instead of asking again. */
export interface RemoteJob {
  /** What an earlier go at this slice has saved, or null. */
  readonly id: string | null;
  /** Since when that report is waited for, over all attempts. */
  readonly since?: Date | null;
  /** A report that takes longer is left with `ReportPending`; absent: it is waited for here. */
  readonly maxWaitMs?: number;
  /** Kept at once, before the report is waited for; null when it is of no more use. */
  save(id: string | null): Promise<void>;
}

export interface ReadContext extends ConnectorContext {
  job: RemoteJob;
  /** What an amount of the account's currency is worth in the organization's, by day; null where no rate is known. */
  exchange: Exchange | null;
  /**
   * First day whose numbers the provider may still change: from it on two reads may differ without either being wrong. Null:
   * every day has settled.
   */
  provisionalFrom: Day | null;
}

export interface Exchange {
  /** The organization's currency, ISO 4217. */
  currency: string;
  /** Units of it for one unit of the account's currency on that day. */
  rate(from: string, day: Day): number | null;
}

/** One row as a destination that cannot replace rows was told of it. */
export interface SentRow {
  /** The row's key as text; stays the same for good. */
  key: string;
  day: Day;
  /** Counts what was sent for this key, from 1. */
  revision: number;
  /** What the destination holds for the key when everything planned has arrived: the connector's own, JSON. */
  state: Record<string, Value>;
  /** What is to be sent for this revision; null once it is confirmed. */
  planned: Record<string, unknown> | null;
}

/** What such a destination was sent, kept by the engine; every change is fenced by the run's lease. */
export interface Deliveries {
  /** All rows of the slice's stream, account and days, planned ones included. */
  list(slice: Slice): Promise<SentRow[]>;
  /** Kept before anything is sent. Rows not named stay as they are. */
  plan(slice: Slice, rows: SentRow[]): Promise<void>;
  /** Everything planned for these keys has arrived. */
  confirm(slice: Slice, keys: string[]): Promise<void>;
}

export interface WriteContext extends ConnectorContext {
  ledger: Deliveries;
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
  /** `refused`: the provider has just turned this one away, whatever its expiry said; another is given. */
  accessToken(signal: AbortSignal, options?: { refused: string }): Promise<string>;
}

export interface Source {
  provider: SourceProvider;
  streams: Stream[];
  listAccounts(context: ConnectorContext): Promise<AdAccount[]>;
  /** Days before today that the provider may still change, for this account. */
  lookbackDays(context: ConnectorContext, account: AdAccount): Promise<number>;
  read(context: ReadContext, slice: Slice): AsyncIterable<Page>;
}

export interface CheckItem {
  /** Stable name of the check, e.g. `connects`. */
  code: string;
  label: string;
  state: 'passed' | 'failed' | 'skipped';
  /** What was found; for a failed item what is wrong. Null when the label says it all. */
  detail: string | null;
  /** The one thing to do about a failed item, or about a warning. */
  action: string | null;
  /** Passed, with a risk that the user should know: see `detail`. */
  isWarning?: boolean;
  durationMs: number;
}

/** Refuses a load by anybody who has lost the run to another worker. */
export interface Fence {
  runId: string;
  leaseEpoch: bigint;
}

export interface DayTotals extends MetricSums {
  day: Day;
  /** Of every column; left out by a destination that cannot read it back. */
  content?: Content;
}

/** What the rows of a day hold, column by column, in the order of the stream's columns. */
export interface Content {
  /** Cells that are not null. */
  counts: number[];
  /** The sum of each column as `content-sums` defines it; null where a column is only counted. */
  sums: (bigint | null)[];
  /** The sums of text are of another hash than those of what was sent: only later sums of the same table equal them. */
  hasOwnTextHash?: boolean;
}

/** What a table holds of an account and a day. */
export interface AccountDayTotals extends DayTotals {
  accountId: string;
}

/** A table as the audit found it. */
export interface TableContent {
  days: AccountDayTotals[];
  /** Columns of the stream that the table lacks or holds as another type: they count as empty. */
  lostColumns: string[];
  /** The table, or a column that identifies its rows, is missing: nothing could be read. */
  isGone: boolean;
}

/** Where the rows of a stream are. */
export interface Target {
  /**
   * Another text as soon as rows loaded before are not there: another server, another table, or a new table of the same name.
   */
  place: string;
  /** The table or event as people know it: `public.google_ads_campaign_daily`. */
  table: string;
  /**
   * All columns that the table has, by name; of events those properties that can be filled later. The value is an identity: another text means another column of the same name, which
   * does not hold what was loaded before.
   */
  columns: Record<string, string>;
}

/** By stream name. */
export type Targets = Map<string, Target>;

export interface LoadedSlice {
  /** Rows the destination took. */
  rowsWritten: number;
  bytes: number;
}

export interface Destination {
  provider: DestinationProvider;
  /** Itemised; never throws for a wrong setting, but says it in the item. */
  check(context: ConnectorContext): Promise<CheckItem[]>;
  /** The table or event a stream is written to, as its reader would name it. */
  tableName(stream: Stream): string;
  /** Makes or widens the streams' tables, with keys and comments, and answers where their rows are. */
  prepare(context: ConnectorContext, streams: Stream[]): Promise<Targets>;
  /** Where the streams' rows are now. Changes nothing; a stream without a table is left out. */
  locate(context: ConnectorContext, streams: Stream[]): Promise<Targets>;
  /**
   * Stages the pages, then replaces every (account, day) of the slice in one transaction. When `pages` throws, nothing of
   * the slice has changed. The same slice again leaves the same rows.
   */
  write(context: WriteContext, slice: Slice, pages: AsyncIterable<Page>, fence: Fence): Promise<LoadedSlice>;
  /** What the destination holds now, read back from it: days without rows are left out. `NotVerifiedYet` where rows show late. */
  totals(context: WriteContext, slice: Slice): Promise<DayTotals[]>;
  /** Its `totals` sum text by `text-hash`, so that text can be compared with what was sent; elsewhere the audit alone compares it. */
  comparesText?: boolean;
  /** What the table of a stream holds now, by account and day. Left out where the destination cannot say so in one question. */
  readTable?(
    context: ConnectorContext,
    stream: Stream,
    range: { accountIds: string[]; from: Day; to: Day },
  ): Promise<TableContent>;
  close(): Promise<void>;
}
