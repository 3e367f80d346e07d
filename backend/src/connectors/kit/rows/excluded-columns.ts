import type { Page, Slice, Stream } from '../contract.js';
import { LINE_END, TAB } from './row-text.js';

/** Columns that a connection does not write, by stream. */
export type ExcludedColumns = Partial<Record<string, string[]>>;

/** Why a column is required: it is part of the key, it verifies that all rows arrived, or it is the currency of amounts. */
export type Need = 'key' | 'proof' | 'money';

/** Why a column cannot be excluded; null if it can. */
export function needOf({ key, metrics, scope }: Stream, column: string): Need | null {
  if (key.includes(column) || column === scope?.column || column === 'account_id' || column === 'date') return 'key';
  if (Object.values(metrics).includes(column)) return 'proof';
  return column === 'currency' ? 'money' : null;
}

/** The stream without excluded columns; required columns stay. Returns the same object if nothing is excluded. */
export function withoutColumns(stream: Stream, leftOut: readonly string[] = []): Stream {
  const columns = stream.columns.filter(({ name }) => !leftOut.includes(name) || needOf(stream, name) !== null);
  return columns.length === stream.columns.length ? stream : { ...stream, columns };
}

/** What a connection does with the fields of its streams. */
export interface FieldChoice {
  leftOut: ExcludedColumns;
  hashed: ExcludedColumns;
}

/** Whether two connections write the same cells of a stream's rows, with the same values. */
export function writesSameColumns(stream: Stream, left: FieldChoice, right: FieldChoice): boolean {
  const cellsOf = ({ leftOut, hashed }: FieldChoice) =>
    withoutColumns(stream, leftOut[stream.name]).columns.map(({ name }) => `${name} ${hashed[stream.name]?.includes(name)}`);
  return cellsOf(left).join() === cellsOf(right).join();
}

/**
 * Excluded columns are still read, because the rows and their verification can depend on the requested columns. Their cells are
 * removed from the row text before it is written.
 */
export async function* projectPages(pages: AsyncIterable<Page>, { stream }: Slice, written: Stream): AsyncGenerator<Page> {
  const isKept = stream.columns.map(({ name }) => written.columns.some((column) => column.name === name));
  const isWhole = isKept.every(Boolean);
  for await (const page of pages) yield isWhole ? page : { ...page, lines: projectLines(page.lines, isKept) };
}

/** Cells end with a tab or the end of the line. They contain neither, because `row-text` escapes both. */
export function projectLines(lines: Buffer, isKept: boolean[]): Buffer {
  const kept = Buffer.allocUnsafe(lines.length);
  let length = 0;
  let column = 0;
  let isFirst = true;
  for (let start = 0; start < lines.length;) {
    let end = start;
    while (lines[end] !== TAB && lines[end] !== LINE_END) end += 1;
    if (isKept[column]) {
      if (!isFirst) kept[length++] = TAB;
      length += lines.copy(kept, length, start, end);
      isFirst = false;
    }
    column += 1;
    if (lines[end] === LINE_END) {
      kept[length++] = LINE_END;
      column = 0;
      isFirst = true;
    }
    start = end + 1;
  }
  return kept.subarray(0, length);
}
