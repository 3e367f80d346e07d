import { isUtf8 } from 'node:buffer';
import type { Page, Row, Slice } from '../contract.js';
import { listDays } from '../days.js';
import { DaySums } from '../totals/day-sums.js';
import { KeySet } from '../totals/key-set.js';
import { cellsOf, encodeCell, LINE_END, readLines, TAB } from './row-text.js';

const PAGE_BYTES = 256 * 1024;
/** Limited by `DaySums`, see `PLAIN_DIGITS`. */
const PAGE_ROWS = 4_000;
const DIGIT_ZERO = 0x30;

/** The cells of one row, each a part of a buffer. A `from` of -1 means the column's default. */
export interface Cells {
  bytes: Buffer[];
  from: Int32Array;
  to: Int32Array;
}

export interface PageProblems {
  rowRepeated(key: string): Error;
  dayOutside(day: string): Error;
}

/**
 * Builds pages of rows. Verifies that no key occurs twice and that no day is outside the slice. Works on bytes because every row
 * of every source passes through here.
 */
export class PageBuilder {
  private readonly slice: Slice;
  private readonly problems: PageProblems;
  /** The default of each column, for cells that were not sent. */
  private readonly defaults: Buffer[];
  private readonly defaultBytes: number;
  private readonly isKey: boolean[];
  private readonly dayColumn: number;
  /** -1 if the report has no such metric. */
  private readonly metricColumns: number[];
  private readonly dayIndex: Map<number, number>;
  private readonly sums: DaySums;
  private readonly keys = new KeySet();
  private lines = Buffer.alloc(0);
  private used = 0;
  private rowCount = 0;
  private readonly full: Page[] = [];

  /** `defaults` by column name, for missing cells. */
  constructor(slice: Slice, defaults: Row, problems: PageProblems) {
    const { columns, key, metrics } = slice.stream;
    const indexOf = (name: string) => columns.findIndex((column) => column.name === name);
    const days = listDays(slice.from, slice.to);
    this.slice = slice;
    this.problems = problems;
    this.defaults = columns.map(({ name, type }) => Buffer.from(encodeCell(type, defaults[name])));
    this.defaultBytes = this.defaults.reduce((sum, { length }) => sum + length + 1, 0);
    // All rows of a slice have the same account.
    this.isKey = columns.map(({ name }) => key.includes(name) && name !== 'account_id');
    this.dayColumn = indexOf('date');
    this.metricColumns = [metrics.costMicros, metrics.clicks, metrics.impressions].map((name) =>
      name === null ? -1 : indexOf(name),
    );
    this.dayIndex = new Map(days.map((day, index) => [Number(day.replaceAll('-', '')), index]));
    this.sums = new DaySums(days);
  }

  /** Adds a row of values. */
  addRow(row: Row): void {
    const bytes = cellsOf(this.slice.stream, row).map((cell) => Buffer.from(cell));
    this.add({ bytes, from: new Int32Array(bytes.length), to: Int32Array.from(bytes, ({ length }) => length) });
  }

  /** Adds a row of bytes, encoded as in `row-text`. The caller may reuse `cells` afterwards. */
  add(cells: Cells): void {
    const lengthLimit = this.defaultBytes + lengthOf(cells);
    if (this.used + lengthLimit > this.lines.length || this.rowCount === PAGE_ROWS) this.startPage(lengthLimit);
    this.addSums(cells);
    this.writeLine(cells);
    this.rowCount++;
  }

  /** Returns the full pages. */
  take(): Page[] {
    return this.full.splice(0);
  }

  takeAll(): Page[] {
    this.endPage();
    return this.take();
  }

  private addSums({ bytes, from, to }: Cells): void {
    const dayBytes = bytes[this.dayColumn] as Buffer;
    const start = from[this.dayColumn] as number;
    const day = this.dayIndex.get(dayNumber(dayBytes, start));
    if (day === undefined) throw this.problems.dayOutside(dayBytes.toString('utf8', start, to[this.dayColumn]));
    this.sums.addRow(day);
    for (let metric = 0; metric < 3; metric++) {
      const column = this.metricColumns[metric] as number;
      const at = column < 0 ? -1 : (from[column] as number);
      if (at >= 0) this.sums.add(day, metric, bytes[column] as Buffer, at, to[column] as number);
    }
  }

  private writeLine({ bytes, from, to }: Cells): void {
    const { lines, defaults, isKey, keys } = this;
    const lineStart = this.used;
    let used = lineStart;
    keys.start();
    for (let column = 0; column < defaults.length; column++) {
      const start = from[column] as number;
      const cellStart = used;
      const source = (start < 0 ? defaults[column] : bytes[column]) as Buffer;
      const end = start < 0 ? source.length : (to[column] as number);
      // For so few bytes, a loop is faster than copy().
      for (let at = start < 0 ? 0 : start; at < end; at++) lines[used++] = source[at] as number;
      if (isKey[column]) keys.mix(lines, cellStart, used);
      lines[used++] = TAB;
    }
    lines[used - 1] = LINE_END;
    if (!keys.add()) throw this.problems.rowRepeated(this.keyText(lines.subarray(lineStart, used)));
    this.used = used;
  }

  private keyText(line: Buffer): string {
    const [cells = []] = readLines(line);
    return cells.filter((_, column) => this.isKey[column]).join(', ');
  }

  private startPage(lengthLimit: number): void {
    this.endPage();
    this.lines = Buffer.allocUnsafeSlow(Math.max(PAGE_BYTES, lengthLimit));
  }

  private endPage(): void {
    if (this.rowCount > 0) {
      const written = this.lines.subarray(0, this.used);
      // Pages may wait long, so a mostly empty page must not occupy the memory of a full one.
      const isSmall = this.used * 2 < this.lines.length;
      this.full.push({
        lines: wellFormed(isSmall ? Buffer.from(written) : written),
        rowCount: this.rowCount,
        days: this.sums.take(),
      });
    }
    this.lines = nothing;
    this.used = 0;
    this.rowCount = 0;
  }
}

const nothing = Buffer.alloc(0);

/** Replaces invalid UTF-8 with the replacement character, as decoders do. PostgreSQL would reject it. */
function wellFormed(lines: Buffer): Buffer {
  return isUtf8(lines) ? lines : Buffer.from(lines.toString('utf8'));
}

function lengthOf({ from, to }: Cells): number {
  let length = from.length;
  for (let column = 0; column < from.length; column++)
    if ((from[column] as number) >= 0) length += (to[column] as number) - (from[column] as number);
  return length;
}

/** 2026-01-31 → 20260131. */
export function dayNumber(bytes: Buffer, start: number): number {
  let number = 0;
  for (let at = start; at < start + 10; at++)
    if (at !== start + 4 && at !== start + 7) number = number * 10 + (bytes[at] as number) - DIGIT_ZERO;
  return number;
}
