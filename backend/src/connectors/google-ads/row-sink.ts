import type { Slice } from '../kit/contract.js';
import type { ItemSink } from '../kit/json/json-array-stream.js';
import { PageBuilder } from '../kit/rows/page-builder.js';
import { parseJson } from './api.js';
import { RowScanner } from './row-scanner.js';
import type { RowReader } from './rows.js';
import { problemsOf } from './totals-check.js';

/** Builds pages from an answer while it arrives: usual rows with the scanner, all others with full validation. */
export class RowSink implements ItemSink {
  readonly field = 'results';
  readonly pages: PageBuilder;
  private readonly slice: Slice;
  private readonly reader: RowReader;
  private readonly scanner: RowScanner;
  /** Index of the next row in its chunk, for error messages. */
  private index = 0;

  constructor(slice: Slice, reader: RowReader) {
    this.slice = slice;
    this.reader = reader;
    this.scanner = new RowScanner(slice.stream.columns, reader.sections);
    this.pages = new PageBuilder(slice, reader.defaults(slice.account), problemsOf(slice.from, slice.to));
  }

  startList(): void {
    this.index = 0;
  }

  scan(bytes: Buffer, from: number): number {
    const end = this.scanner.scan(bytes, from);
    if (end === -1) return -1;
    this.index++;
    this.pages.add(this.scanner.cells);
    return end;
  }

  parse(text: string): void {
    this.addParsed([parseJson(text)], this.index++);
  }

  addParsed(results: unknown[], offset: number): void {
    for (const row of this.reader.read(results, offset, this.slice.account)) this.pages.addRow(row);
  }
}
