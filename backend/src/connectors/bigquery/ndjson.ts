import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Column, Page, Stream } from '../kit/contract.js';
import { readLines } from '../kit/rows/row-text.js';

/** Rows are sent once and then discarded, so speed matters more than the last 10% of size. */
const GZIP_LEVEL = 3;
/** Lines are joined into pieces of about this size. */
const PIECE_CHARACTERS = 64 * 1024;

export interface Sent {
  rows: number;
  /** Size of the rows before compression. */
  bytes: number;
}

/** The pages as compressed newline-delimited JSON. `sent` counts the input. Errors of the pages are passed on. */
export function compressPages(
  stream: Stream,
  pages: AsyncIterable<Page>,
  sent: Sent,
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  const gzip = createGzip({ level: GZIP_LEVEL });
  // The reader of the stream receives the error.
  pipeline(Readable.from(jsonPieces(stream, pages, sent, signal), { objectMode: true, highWaterMark: 1 }), gzip, () => undefined);
  return gzip as AsyncIterable<Buffer>;
}

async function* jsonPieces(stream: Stream, pages: AsyncIterable<Page>, sent: Sent, signal: AbortSignal): AsyncGenerator<string> {
  const toJson = rowWriter(stream.columns);
  for await (const { lines, rowCount } of pages) {
    signal.throwIfAborted();
    sent.rows += rowCount;
    sent.bytes += lines.length;
    let piece = '';
    for (const cells of readLines(lines)) {
      piece += toJson(cells);
      if (piece.length < PIECE_CHARACTERS) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }
}

/** The rows of a page, as they are loaded, without line ends. */
export function jsonLines({ columns }: Stream, { lines }: Page): string[] {
  const toJson = rowWriter(columns);
  return readLines(lines).map((cells) => toJson(cells).trimEnd());
}

/** Omits null values. */
function rowWriter(columns: Column[]): (cells: (string | null)[]) => string {
  const names = columns.map(({ name }) => JSON.stringify(name));
  return (cells) => {
    let json = '';
    for (let index = 0; index < columns.length; index++) {
      const cell = cells[index];
      if (cell !== null && cell !== undefined)
        json += `${json === '' ? '' : ','}${names[index]}:${toJson(columns[index] as Column, cell)}`;
    }
    return `{${json}}\n`;
  };
}

function toJson({ type }: Column, cell: string): string {
  if (type === 'boolean') return cell === 't' ? 'true' : 'false';
  // Whole numbers are sent as text because JSON guarantees only 53 bits. So are NaN and Infinity, which JSON does not support.
  if (type === 'double' && Number.isFinite(Number(cell))) return cell;
  return JSON.stringify(cell);
}
