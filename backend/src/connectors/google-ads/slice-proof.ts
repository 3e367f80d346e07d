import type { MetricSums, Page } from '../kit/contract.js';
import { CorruptAnswer } from '../kit/errors.js';
import type { PageProblems } from '../kit/page-builder.js';
import { addSums, emptySums, equalSums } from '../kit/sums.js';

type Totals = Omit<MetricSums, 'rows'>;

/** Sums the pages of a slice, and says whether they are Google's own totals. */
export class SliceProof {
  private sums = emptySums();

  add(page: Page): void {
    for (const day of page.days) this.sums = addSums(this.sums, day);
  }

  get rows(): number {
    return this.sums.rows;
  }

  checkAgainst(totals: Totals): void {
    if (equalSums(this.sums, totals)) return;
    const difference =
      (['costMicros', 'clicks', 'impressions'] as const).find((metric) => this.sums[metric] !== totals[metric]) ?? 'clicks';
    throw new CorruptAnswer({
      code: 'google_ads.totals_differ',
      message:
        `The rows of Google Ads do not add up to its own total of ${metricNames[difference]}: ` +
        `expected ${totals[difference]}, found ${this.sums[difference]} in ${this.sums.rows} rows. Nothing of the slice was loaded.`,
      action: nothingToDo,
    });
  }
}

/** What the page builder finds wrong: a row that comes twice, and one of a day that was not asked for. */
export function problemsOf(from: string, to: string): PageProblems {
  return {
    rowRepeated: (key) =>
      new CorruptAnswer({
        code: 'google_ads.row_repeated',
        message: `Google Ads sent the same row twice (${key}): expected 1, found 2. Nothing of the slice was loaded.`,
        action: nothingToDo,
      }),
    dayOutside: (day) =>
      new CorruptAnswer({
        code: 'google_ads.day_outside_slice',
        message: `Google Ads sent a row of ${day}: expected ${from} to ${to}. Nothing of the slice was loaded.`,
        action: nothingToDo,
      }),
  };
}

const nothingToDo = 'Nothing to do: it is tried again by itself';
const metricNames = { costMicros: 'cost (micros)', clicks: 'clicks', impressions: 'impressions' };
