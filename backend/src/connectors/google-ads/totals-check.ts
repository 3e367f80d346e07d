import type { MetricSums, Page, Stream } from '../kit/contract.js';
import { CorruptAnswer } from '../kit/errors.js';
import type { PageProblems } from '../kit/rows/page-builder.js';
import { readLines } from '../kit/rows/row-text.js';
import { addSums, emptySums, equalSums } from '../kit/totals/sums.js';

/** Google's own sums of a slice. `allConversions` is compared for reports without other metrics. */
export interface Totals extends Omit<MetricSums, 'rows'> {
  allConversions: number;
}

const metrics = ['costMicros', 'clicks', 'impressions'] as const;
const isWithin = (sums: Omit<MetricSums, 'rows'>, totals: Omit<MetricSums, 'rows'>): boolean =>
  metrics.every((metric) => sums[metric] <= totals[metric]);

/** Sums of fractions differ in their last digits, depending on the order of addition. */
const TOLERANCE = 1e-6;

/** Sums the pages of a slice and compares them with Google's own totals. */
export class TotalsCheck {
  private sums = emptySums();
  private allConversions = 0;
  /** Index of that column in reports without cost, clicks and impressions; otherwise -1. */
  private readonly conversionsAt: number;
  private readonly isShare: boolean;

  constructor({ columns, metrics, verification }: Stream) {
    this.isShare = verification === 'share_of_total';
    this.conversionsAt = metrics.clicks === null ? columns.findIndex(({ name }) => name === 'all_conversions') : -1;
  }

  add(page: Page): void {
    for (const day of page.days) this.sums = addSums(this.sums, day);
    if (this.conversionsAt >= 0)
      for (const cells of readLines(page.lines)) this.allConversions += Number(cells[this.conversionsAt]);
  }

  get rows(): number {
    return this.sums.rows;
  }

  checkAgainst(totals: Totals): void {
    if (this.isShare ? isWithin(this.sums, totals) : equalSums(this.sums, totals) && this.hasAllConversions(totals)) return;
    const difference = metrics.find((metric) => this.sums[metric] !== totals[metric]);
    const found = difference ? this.sums[difference] : this.allConversions;
    throw new CorruptAnswer({
      code: 'google_ads.totals_differ',
      message:
        `The rows of Google Ads do not add up to Google's own total of ${difference ? metricNames[difference] : 'conversions'}: ` +
        `expected ${totals[difference ?? 'allConversions']}, found ${found} in ${this.sums.rows} rows. Nothing of the chunk was loaded.`,
      action: nothingToDo,
    });
  }

  private hasAllConversions({ allConversions }: Totals): boolean {
    if (this.conversionsAt < 0) return true;
    return Math.abs(this.allConversions - allConversions) <= TOLERANCE * Math.max(1, allConversions);
  }
}

/** Errors of the page builder: a duplicate row, and a row of a day that was not requested. */
export function problemsOf(from: string, to: string): PageProblems {
  return {
    rowRepeated: (key) =>
      new CorruptAnswer({
        code: 'google_ads.row_repeated',
        message: `Google Ads sent the same row twice (${key}): expected 1, found 2. Nothing of the chunk was loaded.`,
        action: nothingToDo,
      }),
    dayOutside: (day) =>
      new CorruptAnswer({
        code: 'google_ads.day_outside_slice',
        message: `Google Ads sent a row of ${day}: expected ${from} to ${to}. Nothing of the chunk was loaded.`,
        action: nothingToDo,
      }),
  };
}

const nothingToDo = 'No action needed: Tributary retries automatically';
const metricNames = { costMicros: 'cost (micros)', clicks: 'clicks', impressions: 'impressions' };
