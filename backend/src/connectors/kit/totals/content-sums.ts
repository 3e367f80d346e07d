import type { Column, Content, Day, Stream } from '../contract.js';
import { listDays } from '../days.js';
import { dayNumber } from '../rows/page-builder.js';
import { LINE_END, readCells, TAB } from '../rows/row-text.js';
import { TextHash } from './text-hash.js';

const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
const LETTER_N = 0x4e;
/** Digits of the lower part of a whole number. */
const LOW_DIGITS = 9;
/** A decimal with this many digits is exact as a double, wherever the decimal point is. */
const EXACT_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power);
/** After this many rows, each part of a sum is still below 2^53. */
const FLUSH_ROWS = 4_096;
/** From this value on, the whole part of a double is added as a bigint. */
const LARGE_DOUBLE = 2 ** 40;

/**
 * Sums of doubles count in steps of 2^-40 (about 10^-12). Each value is truncated to a step, in the same way in every database.
 * Sums of whole steps do not depend on the order.
 */
export const DOUBLE_STEPS = 2 ** 40;
/** Larger doubles, infinity and NaN are counted but not summed: no platform reports them. */
export const DOUBLE_LIMIT = 2 ** 53;

type Kind = 'counted' | 'whole' | 'double' | 'text';

/** Base of the lower part of a sum. */
const bases: Record<Kind, bigint> = {
  counted: 0n,
  whole: 10n ** BigInt(LOW_DIGITS),
  double: BigInt(DOUBLE_STEPS),
  text: 2n ** 32n,
};

/**
 * Counts and sums every column of the rows sent to the destination, by day. Whole numbers are summed exactly, doubles in steps of
 * 2^-40. Text is summed by its hashes if `hashesText`. Works on bytes because every row passes through here.
 */
export class ContentSums {
  private readonly columns: Column[];
  private readonly kinds: Kind[];
  private readonly days: Day[];
  private readonly dayIndex: Map<number, number>;
  private readonly dayColumn: number;
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  private readonly counts: Float64Array;
  private readonly high: Float64Array;
  private readonly low: Float64Array;
  private readonly sums: bigint[];
  private readonly hasRows: boolean[];
  private readonly hash = new TextHash();
  private rowsToFlush = 0;
  private hasEscapes = false;

  constructor({ columns }: Stream, { from, to }: { from: Day; to: Day }, { hashesText }: { hashesText: boolean }) {
    this.columns = columns;
    this.kinds = columns.map(({ type }) => kindOf(type, hashesText));
    this.days = listDays(from, to);
    this.dayIndex = new Map(this.days.map((day, index) => [Number(day.replaceAll('-', '')), index]));
    this.dayColumn = columns.findIndex(({ name }) => name === 'date');
    this.from = new Int32Array(columns.length);
    this.to = new Int32Array(columns.length);
    const places = this.days.length * columns.length;
    this.counts = new Float64Array(places);
    this.high = new Float64Array(places);
    this.low = new Float64Array(places);
    this.sums = Array.from({ length: places }, () => 0n);
    this.hasRows = this.days.map(() => false);
  }

  add(lines: Buffer): void {
    this.hasEscapes = lines.includes(BACKSLASH);
    for (let at = 0; at < lines.length;) {
      at = this.findCells(lines, at);
      const day = this.dayIndex.get(dayNumber(lines, this.from[this.dayColumn] as number));
      // Rows outside the range are rejected when they are read.
      if (day === undefined) continue;
      this.hasRows[day] = true;
      this.addRow(lines, day * this.kinds.length);
      if (++this.rowsToFlush === FLUSH_ROWS) this.flush();
    }
  }

  /** Totals of each day that has rows. */
  take(): Map<Day, Content> {
    this.flush();
    const { length } = this.columns;
    return new Map(
      this.days.flatMap((day, index): [Day, Content][] => {
        if (!this.hasRows[index]) return [];
        const place = index * length;
        const sums = this.kinds.map((kind, column) => (kind === 'counted' ? null : (this.sums[place + column] as bigint)));
        return [[day, { counts: [...this.counts.subarray(place, place + length)], sums }]];
      }),
    );
  }

  /** Records where the cells of the row at `start` are. Returns where the next row begins. */
  private findCells(lines: Buffer, start: number): number {
    const { from, to } = this;
    let at = start;
    for (let column = 0; column < from.length; column++) {
      from[column] = at;
      while (lines[at] !== TAB && lines[at] !== LINE_END) at++;
      to[column] = at++;
    }
    return at;
  }

  private addRow(lines: Buffer, place: number): void {
    const { kinds, from, to, counts } = this;
    for (let column = 0; column < kinds.length; column++) {
      const start = from[column] as number;
      const end = to[column] as number;
      if (end - start === 2 && lines[start] === BACKSLASH && lines[start + 1] === LETTER_N) continue;
      const at = place + column;
      counts[at] = (counts[at] as number) + 1;
      const kind = kinds[column];
      if (kind === 'whole') this.addWhole(at, lines, start, end);
      else if (kind === 'double') this.addDouble(at, readDouble(lines, start, end));
      else if (kind === 'text') this.addText(at, lines, start, end);
    }
  }

  private addWhole(place: number, bytes: Buffer, from: number, to: number): void {
    const isNegative = bytes[from] === MINUS;
    let at = isNegative ? from + 1 : from;
    let high = 0;
    for (const end = to - LOW_DIGITS; at < end; at++) high = high * 10 + (bytes[at] as number) - ZERO;
    let low = 0;
    for (; at < to; at++) low = low * 10 + (bytes[at] as number) - ZERO;
    this.addParts(place, isNegative ? -high : high, isNegative ? -low : low);
  }

  private addDouble(place: number, value: number): void {
    // Also skips NaN.
    if (!(Math.abs(value) < DOUBLE_LIMIT)) return;
    const whole = Math.floor(value);
    const steps = Math.floor((value - whole) * DOUBLE_STEPS);
    if (Math.abs(whole) < LARGE_DOUBLE) return this.addParts(place, whole, steps);
    this.sums[place] = (this.sums[place] as bigint) + BigInt(whole) * bases.double;
    this.addParts(place, 0, steps);
  }

  private addText(place: number, bytes: Buffer, from: number, to: number): void {
    const { hash } = this;
    if (this.hasEscapes && hasBackslash(bytes, from, to)) {
      const [text = ''] = readCells(bytes.toString('utf8', from, to));
      const decoded = Buffer.from(text ?? '');
      hash.hash(decoded, 0, decoded.length);
    } else hash.hash(bytes, from, to);
    this.addParts(place, hash.high, hash.low);
  }

  private addParts(place: number, high: number, low: number): void {
    this.high[place] = (this.high[place] as number) + high;
    this.low[place] = (this.low[place] as number) + low;
  }

  private flush(): void {
    const { length } = this.kinds;
    for (let place = 0; place < this.sums.length; place++) {
      const base = bases[this.kinds[place % length] as Kind];
      if (!base || (this.high[place] === 0 && this.low[place] === 0)) continue;
      this.sums[place] =
        (this.sums[place] as bigint) + BigInt(this.high[place] as number) * base + BigInt(this.low[place] as number);
    }
    this.high.fill(0);
    this.low.fill(0);
    this.rowsToFlush = 0;
  }
}

function kindOf(type: Column['type'], hashesText: boolean): Kind {
  if (type === 'bigint') return 'whole';
  if (type === 'double') return 'double';
  return type === 'text' && hashesText ? 'text' : 'counted';
}

function hasBackslash(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}

/** The double nearest to the text: a quotient of two exact doubles is rounded correctly. */
function readDouble(bytes: Buffer, from: number, to: number): number {
  const isNegative = bytes[from] === MINUS;
  let digits = 0;
  let decimals = -1;
  let value = 0;
  for (let at = isNegative ? from + 1 : from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte === POINT && decimals < 0) decimals = 0;
    else {
      if (byte < ZERO || byte > ZERO + 9 || ++digits > EXACT_DIGITS) return Number(bytes.toString('latin1', from, to));
      value = value * 10 + byte - ZERO;
      if (decimals >= 0) decimals++;
    }
  }
  if (decimals > 0) value /= POWERS_OF_TEN[decimals] as number;
  return isNegative ? -value : value;
}
