import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Row, Stream } from '../kit/contract.js';
import { createRowEncoder } from './copy-text.js';
import { columnDefinition, quote } from './tables.js';

/** Temporary, so that nobody else sees it and it ends with the connection. */
export const STAGING = 'pg_temp._tributary_staging';
/** Which stored row gives way to which staged one; tid is the physical place of a row. */
export const DIFFERENCE = 'pg_temp._tributary_difference';

export interface Staged {
  rows: number;
  bytes: number;
}

/** An error of the pages is the source's and keeps its name; everything else on the way is the destination's. */
export class PagesFailed extends Error {
  override name = 'PagesFailed';
}

/** Streams pages into the staging table, outside of any transaction: a slow provider must hold no lock. */
export async function stagePages(client: pg.ClientBase, stream: Stream, pages: AsyncIterable<Row[]>, signal: AbortSignal): Promise<Staged> {
  const staged: Staged = { rows: 0, bytes: 0 };
  await client.query(`
    DROP TABLE IF EXISTS ${STAGING}, ${DIFFERENCE};
    CREATE TEMP TABLE _tributary_staging (${stream.columns.map(columnDefinition).join(', ')});
    CREATE TEMP TABLE _tributary_difference (old_row tid, new_row tid)`);
  const columns = stream.columns.map(({ name }) => quote(name)).join(', ');
  const copy = client.query(copyFrom(`COPY ${STAGING} (${columns}) FROM STDIN`));
  // One encoded page is under way while the next is read: the reader waits when PostgreSQL is slower.
  const encoded = Readable.from(encodePages(stream, pages, staged), { objectMode: true, highWaterMark: 1 });
  await pipeline(encoded, copy, { signal });
  return staged;
}

async function* encodePages(stream: Stream, pages: AsyncIterable<Row[]>, staged: Staged): AsyncGenerator<Buffer> {
  const encode = createRowEncoder(stream);
  try {
    for await (const rows of pages) {
      if (rows.length === 0) continue;
      const buffer = Buffer.from(encode(rows), 'utf8');
      staged.rows += rows.length;
      staged.bytes += buffer.length;
      yield buffer;
    }
  } catch (cause) {
    throw new PagesFailed('the pages ended with an error', { cause });
  }
}
