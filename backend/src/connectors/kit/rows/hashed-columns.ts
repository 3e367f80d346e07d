import { createHash } from 'node:crypto';
import type { Page, Stream, Targets } from '../contract.js';
import { needOf } from './excluded-columns.js';
import { LINE_END, readCells, TAB } from './row-text.js';

/** Text columns that a connection stores as hashes, by stream. */
export type HashedColumns = Partial<Record<string, string[]>>;

/** Added to the identity of a column that contains hashes. */
export const HASHED_IDENTITY = '#sha256';
const NULL_CELL = '\\N';

/** Only text can be hashed, and no column that identifies or verifies rows or contains their currency. */
export const canHash = (stream: Stream, column: string): boolean =>
  needOf(stream, column) === null && stream.columns.some(({ name, type }) => name === column && type === 'text');

/** The hashed columns of a stream that it still has and that can be hashed. */
export const hashedColumnsOf = (stream: Stream, hashed: HashedColumns): string[] =>
  (hashed[stream.name] ?? []).filter((column) => canHash(stream, column));

/** Columns with hashes count as other columns, so that a change of the setting loads all days of the stream again. */
export function identifyHashed(targets: Targets, streams: Map<string, Stream>, hashed: HashedColumns): Targets {
  return new Map(
    [...targets].map(([name, target]) => {
      const stream = streams.get(name);
      const own = stream ? hashedColumnsOf(stream, hashed) : [];
      if (own.length === 0) return [name, target];
      const columns = Object.entries(target.columns).map(([column, identity]): [string, string] => [
        column,
        own.includes(column) ? `${identity}${HASHED_IDENTITY}` : identity,
      ]);
      return [name, { ...target, columns: Object.fromEntries(columns) }];
    }),
  );
}

/** Whether two identities differ only in whether the column contains hashes. */
export function differOnlyInHash(before: string, after: string): boolean {
  const plain = (identity: string) => identity.replace(HASHED_IDENTITY, '');
  return before !== after && plain(before) === plain(after);
}

/** Replaces the text of these columns by its hash, before the rows are summed and written. */
export async function* hashPages(pages: AsyncIterable<Page>, written: Stream, hashed: string[]): AsyncGenerator<Page> {
  const isHashed = written.columns.map(({ name }) => hashed.includes(name));
  const hasNone = !isHashed.includes(true);
  for await (const page of pages) yield hasNone ? page : { ...page, lines: hashLines(page.lines, isHashed) };
}

/** Cells end with a tab or the end of the line, as `row-text` encodes them. */
export function hashLines(lines: Buffer, isHashed: boolean[]): Buffer {
  const parts: Buffer[] = [];
  let column = 0;
  let copied = 0;
  for (let start = 0; start < lines.length;) {
    let end = start;
    while (lines[end] !== TAB && lines[end] !== LINE_END) end += 1;
    if (isHashed[column]) {
      parts.push(lines.subarray(copied, start), hashCell(lines.toString('utf8', start, end)));
      copied = end;
    }
    column = lines[end] === LINE_END ? 0 : column + 1;
    start = end + 1;
  }
  return Buffer.concat([...parts, lines.subarray(copied)]);
}

/** NULL stays NULL. */
function hashCell(cell: string): Buffer {
  if (cell === NULL_CELL) return Buffer.from(cell);
  const [text = ''] = readCells(cell);
  return Buffer.from(hashText(text ?? ''));
}

/** SHA-256 of the text in UTF-8, as 64 hexadecimal digits. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');
