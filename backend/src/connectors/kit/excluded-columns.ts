import type { Page, Slice, Stream } from './contract.js';
import { LINE_END, TAB } from './row-text.js';

/** Columns that a connection does not write, by stream. */
export type ExcludedColumns = Partial<Record<string, string[]>>;

/** What a column is needed for: to tell rows apart, to prove that all arrived, or to say what money is counted in. */
export type Need = 'key' | 'proof' | 'money';

/** Why a column cannot be left out; null when it can. */
export function needOf({ key, metrics, scope }: Stream, column: string): Need | null {
  if (key.includes(column) || column === scope?.column || column === 'account_id' || column === 'date') return 'key';
  if (Object.values(metrics).includes(column)) return 'proof';
  return column === 'currency' ? 'money' : null;
}

/** The stream as it is written: without what is left out and not needed. The stream itself when that is nothing. */
export function withoutColumns(stream: Stream, leftOut: readonly string[] = []): Stream {
  const columns = stream.columns.filter(({ name }) => !leftOut.includes(name) || needOf(stream, name) !== null);
  return columns.length === stream.columns.length ? stream : { ...stream, columns };
}

/** Whether two connections write the same cells of a stream's rows. */
export function writesSameColumns(stream: Stream, left: ExcludedColumns, right: ExcludedColumns): boolean {
  const namesOf = (leftOut: ExcludedColumns) => withoutColumns(stream, leftOut[stream.name]).columns.map(({ name }) => name);
  return namesOf(left).join() === namesOf(right).join();
}

/**
 * Reading is not narrowed: which rows a platform gives, and what proves them, can depend on the columns it is asked for. So the
 * cells go where the rows are already text, before they are written.
 */
export async function* projectPages(pages: AsyncIterable<Page>, { stream }: Slice, written: Stream): AsyncGenerator<Page> {
  const isKept = stream.columns.map(({ name }) => written.columns.some((column) => column.name === name));
  const isWhole = isKept.every(Boolean);
  for await (const page of pages) yield isWhole ? page : { ...page, lines: projectLines(page.lines, isKept) };
}

/** Cells are ended by a tab or the line's end, and hold neither: `row-text` escapes both. */
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
