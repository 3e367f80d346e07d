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

  /** Amounts are rounded row by row: what so many of them may differ from a total that is rounded once. */
  roundingMicros(rows: number, other: InsightsSums): bigint {
    const decimals = Math.min(6, Math.max(this.decimals, other.decimals));
    return (BigInt(rows) * 10n ** BigInt(6 - decimals)) / 2n;
  }
}

/**
 * Rows against what the account as a whole had. By day where both are told by day; impressions and clicks exactly, amounts
 * within their rounding.
 */
export function checkEqual(rows: InsightsSums, account: InsightsSums, isByDay: boolean): void {
  const days = isByDay ? [...new Set([...rows.days, ...account.days])].sort() : [null];
  for (const day of days) {
    const [found, expected] = day === null ? [rows.total, account.total] : [rows.day(day), account.day(day)];
    const rounding = rows.roundingMicros(found.rows + expected.rows, account);
    const difference = differing(found, expected, rounding);
    if (difference) throw totalsDiffer(day, difference, expected, found);
  }
}

/** The parts of a breakdown against the whole: less may be told, but never more, and not nothing of something. */
export function checkWithin(parts: InsightsSums, account: InsightsSums): void {
  if (parts.total.rows === 0 && account.total.impressions > 0n) {
    throw corrupt(
      'breakdown_missing',
      `Meta sent no rows of a breakdown although the account had ${account.total.impressions} impressions.`,
    );
  }
  for (const day of parts.days) {
    const [found, whole] = [parts.day(day), account.day(day)];
    const rounding = parts.roundingMicros(found.rows + whole.rows, account);
    const isMore =
      found.impressions > whole.impressions || found.clicks > whole.clicks || found.costMicros > whole.costMicros + rounding;
    if (isMore)
      throw totalsDiffer(
        day,
        found.impressions > whole.impressions ? 'impressions' : found.clicks > whole.clicks ? 'clicks' : 'costMicros',
        whole,
        found,
      );
  }
}

type Metric = 'impressions' | 'clicks' | 'costMicros';

function differing(found: MetricSums, expected: MetricSums, roundingMicros: bigint): Metric | null {
  if (found.impressions !== expected.impressions) return 'impressions';
  if (found.clicks !== expected.clicks) return 'clicks';
  const difference = found.costMicros - expected.costMicros;
  return difference > roundingMicros || -difference > roundingMicros ? 'costMicros' : null;
}

const words: Record<Metric, string> = { impressions: 'impressions', clicks: 'clicks', costMicros: 'cost (micros)' };

function totalsDiffer(day: Day | null, metric: Metric, expected: MetricSums, found: MetricSums): CorruptAnswer {
  return corrupt(
    'totals_differ',
    `The rows of Meta do not add up to what the account had${day === null ? '' : ` on ${day}`} in ${words[metric]}: ` +
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
