import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorName } from './batch-errors.ts';
import type { Click } from './clicks.ts';
import type { UploadGoal } from './upload-goals.ts';

/** Values of OfflineConversionUnattributedReason. */
export type Reason =
  | 'AccountMismatch'
  | 'AdjustmentOriginalNotFound'
  | 'ClickTimestampAfterConversion'
  | 'ConversionAlreadyRetracted'
  | 'DuplicateConversionKey'
  | 'GoalNotFoundOrInactive'
  | 'HistoricalClickDataExpired'
  | 'MissingMatchIdentifiers'
  | 'NoMatchingClickFound'
  | 'OutsideGoalLookbackWindow';

export interface ReceivedRow {
  kind: 'offline' | 'offlineAdjustment' | 'onlineAdjustment' | 'uet' | 'uetBrowser';
  /** lost: acknowledged and not stored, by a fault. */
  outcome: 'attributed' | 'unattributed' | 'duplicate' | 'rejected' | 'lost';
  /** Milliseconds in the sandbox's time. */
  receivedAt: number;
  /** Of offline conversions and adjustments. */
  accountId: string | null;
  /** Of UET events. */
  tagId: string | null;
  goalId: string | null;
  /** Why it was rejected: names of partial errors, or of properties of a UET event. */
  errors: string[];
  reason: Reason | null;
  /** Properties of a UET event that were removed. */
  removed: string[];
  /** By this, repeated rows and the originals of adjustments are found. */
  key: string | null;
  /** By this, adjustments of UET events find their original. */
  transactionKey: string | null;
  clickId: string | null;
  clickedAt: number | null;
  /** Counts as a conversion. False for the second conversion of a click with a goal that counts once, and after a retraction. */
  isCounted: boolean;
  value: number | null;
  currency: string | null;
  isRetracted: boolean;
  /** As it was sent. */
  row: unknown;
}

/** A row without any effect yet. */
export function emptyRow(kind: ReceivedRow['kind'], receivedAt: number, row: unknown): ReceivedRow & { errors: ErrorName[] } {
  return {
    kind,
    outcome: 'rejected',
    receivedAt,
    accountId: null,
    tagId: null,
    goalId: null,
    errors: [],
    reason: null,
    removed: [],
    key: null,
    transactionKey: null,
    clickId: null,
    clickedAt: null,
    isCounted: false,
    value: null,
    currency: null,
    isRetracted: false,
    row,
  };
}

type Line = { row: ReceivedRow } | { click: Click } | { goal: UploadGoal; accountId: string } | { tagId: string; key: string };

/**
 * Everything that was sent, with the clicks, goals and keys that tests add. Stored in a file if there is a data folder: its lines
 * are applied again at the start.
 */
export class ReceivedRows {
  readonly rows: ReceivedRow[] = [];
  readonly clicks: Click[] = [];
  readonly goals: { goal: UploadGoal; accountId: string }[] = [];
  readonly keys = new Map<string, string>();
  /** The first accepted row of each key. */
  readonly #firsts = new Map<string, ReceivedRow>();
  /** By goal and click. */
  readonly #countedOnce = new Set<string>();
  readonly #file: string | null;

  constructor(dataDir: string | undefined) {
    this.#file = dataDir ? join(dataDir, 'received-rows.jsonl') : null;
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    if (this.#file) this.#read(this.#file);
  }

  add(line: Line): void {
    this.#apply(line);
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  firstOf(key: string): ReceivedRow | undefined {
    return this.#firsts.get(key);
  }

  hasCounted(goalId: string, clickId: string): boolean {
    return this.#countedOnce.has(`${goalId} ${clickId}`);
  }

  #apply(line: Line): void {
    if ('click' in line) this.clicks.push(line.click);
    else if ('goal' in line) this.goals.push(line);
    else if ('tagId' in line) this.keys.set(line.tagId, line.key);
    else this.#applyRow(line.row);
  }

  #applyRow(row: ReceivedRow): void {
    this.rows.push(row);
    const isAccepted = row.outcome === 'attributed' || row.outcome === 'unattributed';
    if (!isAccepted) return;
    if (row.kind === 'offlineAdjustment' || row.kind === 'onlineAdjustment') {
      if (row.outcome === 'attributed') this.#adjust(row, this.#firsts.get(row.key ?? ''));
      return;
    }
    for (const key of [row.key, row.transactionKey]) if (key !== null && !this.#firsts.has(key)) this.#firsts.set(key, row);
    if (row.isCounted && row.goalId !== null && row.clickId !== null) this.#countedOnce.add(`${row.goalId} ${row.clickId}`);
  }

  #adjust(adjustment: ReceivedRow, original: ReceivedRow | undefined): void {
    if (!original) return;
    if (adjustment.isRetracted) Object.assign(original, { isRetracted: true, isCounted: false });
    else Object.assign(original, { value: adjustment.value, currency: adjustment.currency });
  }

  #read(file: string): void {
    let text = '';
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      // Nothing was received yet.
    }
    for (const line of text.split('\n').filter((line) => line.endsWith('}'))) this.#apply(JSON.parse(line) as Line);
  }
}
