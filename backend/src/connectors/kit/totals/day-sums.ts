import type { Day, DayTotals } from '../contract.js';

const MINUS = 0x2d;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
/** Numbers up to this many digits are summed as doubles: the sum over a page's rows stays below 2^53. */
const PLAIN_DIGITS = 12;

/** Sums of the three metrics per day, read from whole numbers in text form. */
export class DaySums {
  readonly rows: number[];
  private readonly plain: Float64Array;
  private readonly large: bigint[];
  private readonly days: Day[];

  constructor(days: Day[]) {
    this.days = days;
    this.rows = days.map(() => 0);
    this.plain = new Float64Array(days.length * 3);
    this.large = Array.from({ length: days.length * 3 }, () => 0n);
  }

  addRow(day: number): void {
    this.rows[day] = (this.rows[day] as number) + 1;
  }

  /** `metric`: 0 cost, 1 clicks, 2 impressions. */
  add(day: number, metric: number, bytes: Buffer, from: number, to: number): void {
    const place = day * 3 + metric;
    if (to - from > PLAIN_DIGITS || bytes[from] === MINUS) return this.addLarge(place, bytes, from, to);
    // Null counts as 0.
    if (bytes[from] === BACKSLASH) return;
    let value = 0;
    for (let at = from; at < to; at++) value = value * 10 + (bytes[at] as number) - ZERO;
    this.plain[place] = (this.plain[place] as number) + value;
  }

  /** Returns the days that have rows and resets all sums. */
  take(): DayTotals[] {
    const totals = this.days.flatMap((day, index) => {
      const rows = this.rows[index] as number;
      return rows === 0
        ? []
        : [{ day, rows, costMicros: this.sum(index, 0), clicks: this.sum(index, 1), impressions: this.sum(index, 2) }];
    });
    this.rows.fill(0);
    this.plain.fill(0);
    this.large.fill(0n);
    return totals;
  }

  private addLarge(place: number, bytes: Buffer, from: number, to: number): void {
    this.large[place] = (this.large[place] as bigint) + BigInt(bytes.toString('latin1', from, to));
  }

  private sum(day: number, metric: number): bigint {
    const place = day * 3 + metric;
    return BigInt(this.plain[place] as number) + (this.large[place] as bigint);
  }
}
