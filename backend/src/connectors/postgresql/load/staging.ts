import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Page, Stream } from '../../kit/contract.js';
import { PagesFailed } from '../errors.js';
import { StallTimeout } from '../connection/stall-timeout.js';
import { BEGIN, COMMIT } from '../connection/transaction.js';
import { execute, type Statement } from '../statement.js';
import { quote } from '../tables/names.js';
import { columnDefinition } from '../tables/table-format.js';

/** A temporary table: other sessions cannot see it, and it ends with the connection. */
export const STAGING = 'pg_temp._tributary_staging';
/**
 * Slices up to this size stay in memory as COPY text. Empty days then receive them directly, without a staging table. Four
 * concurrent slices use 64 MB. Larger slices go to the staging table as they arrive.
 */
export const HELD_BYTES_LIMIT = 16 * 1024 * 1024;

export interface Staged {
  rows: number;
  bytes: number;
  /** The whole slice as COPY text, or null if it is in the staging table. */
  held: Buffer[] | null;
  /** The staging table that has the rows. */
  tableId: string | null;
}

export interface Copying {
  signal: AbortSignal;
  /** Maximum time without progress at the server. */
  answerMs: number;
}

/** Effectively no limit: a COPY takes as long as its pages. `answerMs` applies instead of pg's own limit. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Reads all pages outside of a transaction, so that a slow provider holds no lock. */
export async function stagePages(
  client: pg.PoolClient,
  stream: Stream,
  pages: AsyncIterable<Page>,
  copying: Copying,
): Promise<Staged> {
  const staged = { rows: 0, bytes: 0 };
  const lines = linesOf(pages, staged, copying.signal);
  const held: Buffer[] = [];
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    held.push(next.value);
    if (staged.bytes <= HELD_BYTES_LIMIT) continue;
    const tableId = await fillStaging(client, stream, chain(held, lines), copying);
    return { ...staged, held: null, tableId };
  }
  return { ...staged, held, tableId: null };
}

/**
 * The server or the role may limit statements and transactions, and this COPY waits for the pages. `answerMs` detects a server that
 * has stalled. Settings that the version of the server does not have are not set.
 */
export const withoutLimits: Statement = {
  title: 'Set no time limits for the copy',
  sql: `SELECT set_config(name, '0', true) FROM pg_settings
     WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`,
};

/** The transaction lasts hardly longer than its COPY and locks no other table. A pooler keeps the session for it. */
async function fillStaging(
  client: pg.PoolClient,
  stream: Stream,
  lines: AsyncIterable<Buffer>,
  copying: Copying,
): Promise<string | null> {
  await execute(client, BEGIN);
  await execute(client, withoutLimits);
  await execute(client, stagingStatement(stream));
  await copyInto(client, copyStatement(STAGING, stream), lines, copying);
  const tableId = await stagingId(client);
  await execute(client, COMMIT);
  return tableId;
}

/** Null if this session has no staging table. */
export async function stagingId(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await execute<{ id: string | null }>(client, identityStatement);
  return rows[0]?.id ?? null;
}

export const identityStatement: Statement = {
  title: 'Identify the temporary table',
  sql: `SELECT to_regclass('${STAGING}')::oid::text AS id`,
};

export const stagingStatement = (stream: Stream): Statement => ({
  title: 'Create a temporary table for the rows',
  sql: `CREATE TEMP TABLE _tributary_staging (${stream.columns.map(columnDefinition).join(', ')})`,
});

export const columnList = (stream: Stream): string => stream.columns.map(({ name }) => quote(name)).join(', ');

export const copyStatement = (table: string, stream: Stream): Statement => ({
  title: table === STAGING ? 'Copy the rows into the temporary table' : 'Copy the rows into the table',
  sql: `COPY ${table} (${columnList(stream)}) FROM STDIN`,
  takesRows: true,
});

/** Sends one page while the next is read. Waits if PostgreSQL is slower, but not if it has stalled. */
export async function copyInto(
  client: pg.PoolClient,
  { sql }: Statement,
  lines: Iterable<Buffer> | AsyncIterable<Buffer>,
  { signal, answerMs }: Copying,
): Promise<void> {
  const copy = copyFrom(sql);
  const silence = new StallTimeout(answerMs, (error) => client.connection.stream.destroy(error));
  try {
    const source = Readable.from(silence.watch(lines), { objectMode: true, highWaterMark: 1 });
    await pipeline(source, client.query(Object.assign(copy, { query_timeout: NO_LIMIT_MS })), { signal });
  } finally {
    silence.end();
  }
}

async function* linesOf(
  pages: AsyncIterable<Page>,
  staged: Pick<Staged, 'rows' | 'bytes'>,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  try {
    for await (const { lines, rowCount } of pages) {
      signal.throwIfAborted();
      if (rowCount === 0) continue;
      staged.rows += rowCount;
      staged.bytes += lines.length;
      yield lines;
    }
  } catch (cause) {
    throw new PagesFailed('reading the pages failed', { cause });
  }
}

async function* chain(held: Buffer[], rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer> {
  while (held.length > 0) yield held.shift() as Buffer;
  yield* rest;
}
