import type { MetricSums, Row, Slice } from '../kit/contract.js';
import { CorruptAnswer } from '../kit/errors.js';
import { addSums, emptySums, equalSums, sumRows } from '../kit/sums.js';

type Totals = Omit<MetricSums, 'rows'>;

/** Proves that the rows of a slice are whole: no row twice, none outside its days, and the sums are Google's own. */
export class SliceProof {
  private readonly slice: Slice;
  private readonly seenKeys = new Set<string>();
  /** Of the key, the account and the day apart: the account is the slice's own. */
  private readonly keyColumns: string[];
  private sums = emptySums();

  constructor(slice: Slice) {
    this.slice = slice;
    this.keyColumns = slice.stream.key.filter((column) => column !== 'account_id');
  }

  add(rows: Row[]): void {
    for (const row of rows) this.addKey(row);
    this.sums = addSums(this.sums, sumRows(this.slice.stream, rows));
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
      action: 'Nothing to do: it is tried again by itself',
    });
  }

  private addKey(row: Row): void {
    let key = '';
    for (const column of this.keyColumns) key += `${row[column]}\t`;
    const sizeBefore = this.seenKeys.size;
    this.seenKeys.add(key);
    if (this.seenKeys.size === sizeBefore) throw this.repeated(key);
    const day = row['date'];
    if (typeof day !== 'string' || day < this.slice.from || day > this.slice.to) throw this.outside(String(day));
  }

  private repeated(key: string): CorruptAnswer {
    return new CorruptAnswer({
      code: 'google_ads.row_repeated',
      message: `Google Ads sent the same row twice (${key.trim().replaceAll('\t', ', ')}): expected 1, found 2. Nothing of the slice was loaded.`,
      action: 'Nothing to do: it is tried again by itself',
    });
  }

  private outside(day: string): CorruptAnswer {
    return new CorruptAnswer({
      code: 'google_ads.day_outside_slice',
      message: `Google Ads sent a row of ${day}: expected ${this.slice.from} to ${this.slice.to}. Nothing of the slice was loaded.`,
      action: 'Nothing to do: it is tried again by itself',
    });
  }
}

const metricNames = { costMicros: 'cost (micros)', clicks: 'clicks', impressions: 'impressions' };
