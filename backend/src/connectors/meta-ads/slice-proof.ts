import type { Day, MetricSums } from '../kit/contract.js';
import type { CorruptAnswer } from '../kit/errors.js';
import type { PageProblems } from '../kit/page-builder.js';
import { addSums, emptySums } from '../kit/sums.js';
import { decimalsOf } from './amounts.js';
import { corrupt } from './errors.js';
import { readMoney, readWhole, type InsightsRow } from './rows.js';

/** Sums of Meta's rows, and how finely its amounts were written. */
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

  /** Amounts are rounded row by row: what so many of them may differ from a total that is rounded once. */
  roundingMicros(rows: number, other: InsightsSums): bigint {
    const decimals = Math.min(6, Math.max(this.decimals, other.decimals));
    return (BigInt(rows) * 10n ** BigInt(6 - decimals)) / 2n;
  }
}

/** Days of the rows and of the account that have settled. */
export interface Settled {
  includes: (day: Day) => boolean;
  /** How a message names all of them. */
  name: string;
}

/**
 * Compares the rows with the account's totals, on settled days only: the numbers of other days may change between the two reads
 * (Insights best practices: every 15 minutes). By day where both reports have days. Impressions and clicks must be equal, amounts
 * equal within their rounding.
 */
export function checkEqual(rows: InsightsSums, account: InsightsSums, isByDay: boolean, settled: Settled): void {
  if (!isByDay) return checkDay(settled.name, rows.totalOf(settled), account.total, rows, account);
  const days = new Set([...rows.days, ...account.days].filter((day) => settled.includes(day)));
  for (const day of [...days].sort()) checkDay(`on ${day}`, rows.day(day), account.day(day), rows, account);
}

function checkDay(when: string, found: MetricSums, expected: MetricSums, rows: InsightsSums, account: InsightsSums): void {
  const rounding = rows.roundingMicros(found.rows + expected.rows, account);
  const difference = differing(found, expected, rounding);
  if (difference) throw totalsDiffer(when, difference, expected, found);
}

/** A breakdown may carry less than the total, and recent days still change; no rows, where the account has impressions, is an error. */
export function checkNotMissing(rows: InsightsSums, account: InsightsSums): void {
  if (rows.total.rows > 0 || account.total.impressions === 0n) return;
  throw corrupt('rows_missing', `Meta sent no rows although the account had ${account.total.impressions} impressions.`);
}

type Metric = 'impressions' | 'clicks' | 'costMicros';

function differing(found: MetricSums, expected: MetricSums, roundingMicros: bigint): Metric | null {
  if (found.impressions !== expected.impressions) return 'impressions';
  if (found.clicks !== expected.clicks) return 'clicks';
  const difference = found.costMicros - expected.costMicros;
  return difference > roundingMicros || -difference > roundingMicros ? 'costMicros' : null;
}

const words: Record<Metric, string> = { impressions: 'impressions', clicks: 'clicks', costMicros: 'cost (micros)' };

function totalsDiffer(when: string, metric: Metric, expected: MetricSums, found: MetricSums): CorruptAnswer {
  return corrupt(
    'totals_differ',
    `The rows of Meta do not add up to what the account had ${when} in ${words[metric]}: ` +
      `expected ${expected[metric]}, found ${found[metric]} in ${found.rows} rows.`,
  );
}

/** What the page builder finds wrong: a row that comes twice, and one of a day that was not asked for. */
export function problemsOf(from: Day, to: Day): PageProblems {
  return {
    rowRepeated: (key) => corrupt('row_repeated', `Meta sent the same row twice (${key}): expected 1, found 2.`),
    dayOutside: (day) => corrupt('day_outside_slice', `Meta sent a row of ${day}: expected ${from} to ${to}.`),
  };
}
