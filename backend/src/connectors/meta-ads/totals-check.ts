import type { Day, MetricSums } from '../kit/contract.js';
import { countDays } from '../kit/days.js';
import { type ConnectorError, type CorruptAnswer, SplitSlice } from '../kit/errors.js';
import type { PageProblems } from '../kit/rows/page-builder.js';
import { addSums, emptySums } from '../kit/totals/sums.js';
import { decimalsOf } from './amounts.js';
import { corrupt } from './errors.js';
import { readMoney, readWhole, type InsightsRow } from './rows.js';

/** Sums of Meta's rows, and the number of decimals in their amounts. */
export class InsightsSums {
  private readonly byDay = new Map<Day, MetricSums>();
  private decimals = 0;

  add(row: InsightsRow): void {
    const sums = {
      rows: 1,
      costMicros: readMoney(row, 'spend'),
      clicks: readWhole(row, 'clicks'),
      impressions: readWhole(row, 'impressions'),
    };
    const day = String(row['date_start']);
    this.byDay.set(day, addSums(this.byDay.get(day) ?? emptySums(), sums));
    this.decimals = Math.max(this.decimals, decimalsOf(String(row['spend'] ?? '0')));
  }

  day(day: Day): MetricSums {
    return this.byDay.get(day) ?? emptySums();
  }

  get days(): Day[] {
    return [...this.byDay.keys()];
  }

  get total(): MetricSums {
    return [...this.byDay.values()].reduce(addSums, emptySums());
  }

  totalOf({ includes }: Settled): MetricSums {
    return [...this.byDay].filter(([day]) => includes(day)).reduce((sum, [, sums]) => addSums(sum, sums), emptySums());
  }

  /** Meta rounds the amount of each row. This is the maximum difference to a total that is rounded once. */
  roundingMicros(rows: number, other: InsightsSums): bigint {
    const decimals = Math.min(6, Math.max(this.decimals, other.decimals));
    return (BigInt(rows) * 10n ** BigInt(6 - decimals)) / 2n;
  }
}

/** Days of the rows and of the account that are settled. */
export interface Settled {
  includes: (day: Day) => boolean;
  /** Describes all of them in error messages. */
  name: string;
}

/**
 * Compares the sums of the settled days with one row of the account for all of them, because other days may change between the
 * two reads (Insights best practices: every 15 minutes). Impressions and clicks must be equal, amounts equal within their rounding.
 */
export function checkTotal(rows: InsightsSums, account: InsightsSums, settled: Settled): void {
  checkDay(settled.name, rows.totalOf(settled), account.total, rows, account);
}

function checkDay(when: string, found: MetricSums, expected: MetricSums, rows: InsightsSums, account: InsightsSums): void {
  const difference = differing(found, expected, rows.roundingMicros(found.rows + expected.rows, account));
  if (difference) throw corrupt('totals_differ', describeDifference(when, difference, expected, found));
}

const on = (day: Day): string => `on ${day}`;

function differenceOn(day: Day, { rows, account }: Reading): Metric | null {
  const [found, expected] = [rows.day(day), account.day(day)];
  return differing(found, expected, rows.roundingMicros(found.rows + expected.rows, account));
}

const isSame = (one: MetricSums, other: MetricSums): boolean => one.rows === other.rows && differing(one, other, 0n) === null;

/**
 * Breakdowns may sum to less than the total, and recent days still change. No rows for an account with impressions is an error.
 */
export function checkNotMissing(rows: InsightsSums, account: InsightsSums): void {
  if (rows.total.rows > 0 || account.total.impressions === 0n) return;
  throw corrupt('rows_missing', `Meta sent no rows although the account had ${account.total.impressions} impressions.`);
}

/** One read of the rows and of the account's totals, one after the other. */
export interface Reading {
  rows: InsightsSums;
  account: InsightsSums;
}

/** Days whose rows do not add up to the account's total, in order. */
export function differingDays(reading: Reading): Day[] {
  const days = new Set([...reading.rows.days, ...reading.account.days]);
  return [...days].filter((day) => differenceOn(day, reading) !== null).sort();
}

/** Whether neither the rows nor the totals of the day changed, so that another reading will not differ either. */
export const isRepeated = (day: Day, first: Reading, second: Reading): boolean =>
  isSame(first.rows.day(day), second.rows.day(day)) && isSame(first.account.day(day), second.account.day(day));

/** With more differing days, it is the answer that is wrong, not single days. */
const MAX_SEPARATE_DAYS = 5;

/** Whether the other days of the slice should be loaded without these. */
export const isSeparable = (days: Day[], { from, to }: { from: Day; to: Day }): boolean =>
  days.length <= MAX_SEPARATE_DAYS && days.length < countDays(from, to);

/** The error of a day that differs. `isSeparable`: the slice is halved until the day is alone, and the other days are loaded. */
export function differsOn(day: Day, reading: Reading, { isSeparable: isSplit }: { isSeparable: boolean }): ConnectorError {
  const [expected, found] = [reading.account.day(day), reading.rows.day(day)];
  const message = describeDifference(on(day), differenceOn(day, reading) ?? 'impressions', expected, found);
  if (!isSplit) return corrupt('totals_differ', message);
  return new SplitSlice({ code: 'meta_ads.totals_differ', message, action: 'No action needed: the other days are loaded' });
}

/** Share of impressions that a past day may gain between two reads. Most arrive within the day; later corrections are small. */
const MOVING_PERCENT = 5;
/** The parts of a breakdown differ slightly from the total. Below this share, a part of the answer is missing. */
const LEAST_SHARE_PERCENT = 50;

/**
 * The numbers of provisional days may change between the read of the rows and the read of the totals. A second reading
 * distinguishes this from a truncated answer. Both readings must have the same number of rows. Rows that did not change in between must add up to
 * one of the totals, and each of them may be truncated as well. `first` is known to differ from its own totals.
 * Today's totals may be ahead of the rows for some minutes, and double after midnight, so only the number of rows is compared.
 *
 * Returns whether the day differs in both readings without a change.
 */
export function differsTwice(day: Day, first: Reading, second: Reading, today: Day): boolean {
  const [found, again] = [first.rows.day(day), second.rows.day(day)];
  if (again.rows !== found.rows) throw rowsCut(day, Math.max(found.rows, again.rows), Math.min(found.rows, again.rows));
  if (day >= today) return false;
  for (const { rows, account } of [first, second])
    checkShare(on(day), rows.day(day).impressions, account.day(day).impressions, 100 - MOVING_PERCENT);
  return isSame(found, again) && differenceOn(day, second) !== null;
}

const rowsCut = (day: Day, expected: number, found: number): CorruptAnswer =>
  corrupt('rows_cut', `Meta's rows ${on(day)} are incomplete: expected ${expected} rows, found ${found}.`);

/** Compares breakdowns only for the whole slice, because single objects and days may legitimately be missing. */
export const checkShareNotCut = (rows: InsightsSums, account: InsightsSums): void =>
  checkShare('in total', rows.total.impressions, account.total.impressions, LEAST_SHARE_PERCENT);

/** With fewer impressions, a single one changes the share by more than a percent. */
const FEW_IMPRESSIONS = 100n;

function checkShare(when: string, found: bigint, expected: bigint, leastPercent: number): void {
  if (expected < FEW_IMPRESSIONS || found * 100n >= expected * BigInt(leastPercent)) return;
  const percent = Number((found * 1_000n) / expected) / 10;
  throw corrupt('rows_cut', `Meta's rows have ${percent} % of the account's impressions ${when}.`);
}

type Metric = 'impressions' | 'clicks' | 'costMicros';

function differing(found: MetricSums, expected: MetricSums, roundingMicros: bigint): Metric | null {
  if (found.impressions !== expected.impressions) return 'impressions';
  if (found.clicks !== expected.clicks) return 'clicks';
  const difference = found.costMicros - expected.costMicros;
  return difference > roundingMicros || -difference > roundingMicros ? 'costMicros' : null;
}

const words: Record<Metric, string> = { impressions: 'impressions', clicks: 'clicks', costMicros: 'cost (micros)' };

function describeDifference(when: string, metric: Metric, expected: MetricSums, found: MetricSums): string {
  return (
    `Meta's rows do not add up to the account's total ${when} for ${words[metric]}: ` +
    `expected ${expected[metric]}, found ${found[metric]} in ${found.rows} rows.`
  );
}

/** Errors of the page builder: a duplicate row, and a row of a day that was not requested. */
export function problemsOf(from: Day, to: Day): PageProblems {
  return {
    rowRepeated: (key) => corrupt('row_repeated', `Meta sent the same row twice (${key}): expected 1, found 2.`),
    dayOutside: (day) => corrupt('day_outside_slice', `Meta sent a row of ${day}: expected ${from} to ${to}.`),
  };
}
