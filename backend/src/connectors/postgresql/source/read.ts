import type { FieldDef, PoolClient } from 'pg';
import type { RecordPage, RecordSample, SourceCursor } from '../../kit/conversion-source.js';
import type { ConnectorContext } from '../../kit/contract.js';
import { fieldsOf } from '../../kit/records/record-fields.js';
import { assertDistinctNames, missingTimeField, ReadMeter, type ReadLimits, toSample } from '../../kit/records/read-meter.js';
import { cursorAfter, startOf, type QuerySettings } from '../../kit/records/query-settings.js';
import type { Database } from '../connection/connection.js';
import { quote } from '../tables/names.js';
import { toSourceError, type QueryPlace } from './errors.js';
import { bytesOf, isTimeType, toRecord, type TextRow } from './values.js';

/** The most records of a page. */
const PAGE_ROWS = 1_000;
/** Rows of the first fetch, whose size is not known. */
const FIRST_ROWS = 50;
/** Later fetches aim at this size. */
const FETCH_BYTES = 1024 * 1024;
const CURSOR = 'tributary_rows';

/** Limits of one read, at the server and here. */
export interface SourceLimits extends ReadLimits {
  /** The server stops a statement after this time. The first fetch of a query that sorts takes the longest. */
  statementMs: number;
  /** Wait for a table that another session locks. */
  lockMs: number;
  /** The server ends the transaction of a worker that stopped between two pages. */
  idleMs: number;
  /** Largest answer: the rows of one fetch. */
  answerBytes: number;
}

interface Statement {
  /** Before the query of the user. */
  before: string;
  after: string;
  values: string[];
}

interface Batch {
  columns: FieldDef[];
  rows: TextRow[];
}

/** Reads the rows of a query in one transaction that cannot write, through a cursor. */
export class QueryReader {
  private readonly database: Database;
  private readonly settings: QuerySettings;
  private readonly limits: SourceLimits;

  constructor(database: Database, settings: QuerySettings, limits: SourceLimits) {
    this.database = database;
    this.settings = settings;
    this.limits = limits;
  }

  async sample({ signal }: ConnectorContext, limit: number): Promise<RecordSample> {
    const { timeField } = this.settings;
    const order = timeField === null ? '' : ` ORDER BY ${quote(timeField)} DESC NULLS LAST`;
    const rows: TextRow[] = [];
    let columns: FieldDef[] = [];
    for await (const batch of this.fetchAll(signal, toStatement(`${order} LIMIT ${limit + 1}`))) {
      ({ columns } = batch);
      rows.push(...batch.rows);
    }
    const records = rows.map((row) => toRecord(row, columns));
    return toSample(records, records.length > 0 ? fieldsOf(records) : columns.map(({ name }) => name), limit);
  }

  /** Pages with a time field have a cursor; otherwise only the last page has one, because the rows have no order. */
  async *read({ signal }: ConnectorContext, cursor: SourceCursor | null, since: Date): AsyncGenerator<RecordPage> {
    const { timeField } = this.settings;
    const start = startOf(this.settings, cursor, since);
    const column = timeField === null ? '' : quote(timeField);
    const statement = start
      ? toStatement(` WHERE ${column} >= $1::timestamptz ORDER BY ${column}`, [start.toISOString()])
      : toStatement('');
    const clock = { now: new Date(0) };
    let newest: string | null = null;
    for await (const { columns, rows } of this.fetchAll(signal, statement, clock)) {
      const records = rows.map((row) => toRecord(row, columns));
      const last = timeField === null ? null : (records.at(-1)?.[timeField] ?? null);
      if (last !== null) newest = String(last);
      const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0);
      yield { records, bytes, cursor: start ? cursorAfter(newest, cursor, clock.now) : null };
    }
    yield { records: [], bytes: 0, cursor: cursorAfter(newest, cursor, clock.now) };
  }

  private async *fetchAll(signal: AbortSignal, statement: Statement, clock = { now: new Date(0) }): AsyncGenerator<Batch> {
    const { limits, settings, database } = this;
    const place: QueryPlace = {
      settings: database.settings,
      query: settings.query,
      queryStart: [...statement.before].length,
      timeField: settings.timeField,
      ...{ statementMs: limits.statementMs, answerBytes: limits.answerBytes, startedAt: performance.now() },
    };
    try {
      yield* database.stream(signal, (client) => this.fetchBatches(client, statement, place, clock));
    } catch (error) {
      throw signal.aborted ? signal.reason : toSourceError(error, place);
    }
  }

  private async *fetchBatches(
    client: PoolClient,
    { before, after, values }: Statement,
    place: QueryPlace,
    clock: { now: Date },
  ): AsyncGenerator<Batch> {
    const meter = new ReadMeter('postgresql', this.limits);
    clock.now = await beginReadOnly(client, this.limits);
    // The extended protocol accepts one statement only.
    const declaration = { text: `${before}${place.query}${after}`, values, queryMode: 'extended' };
    await meter.time(() => client.query(declaration));
    let count = FIRST_ROWS;
    for (let isFirst = true; ; isFirst = false) {
      place.startedAt = performance.now();
      const batch = await meter.time(() => fetchRows(client, count));
      if (isFirst) this.assertColumns(batch.columns);
      const bytes = batch.rows.reduce((sum, row) => sum + bytesOf(row), 0);
      meter.add(batch.rows.length, bytes);
      if (batch.rows.length > 0 || isFirst) yield batch;
      if (batch.rows.length < count) return;
      count = Math.max(1, Math.min(PAGE_ROWS, Math.floor((FETCH_BYTES * count) / Math.max(1, bytes))));
    }
  }

  private assertColumns(columns: FieldDef[]): void {
    const { timeField } = this.settings;
    assertDistinctNames(
      'postgresql',
      columns.map(({ name }) => name),
    );
    if (timeField === null) return;
    const column = columns.find(({ name }) => name === timeField);
    if (!column || !isTimeType(column)) throw missingTimeField('postgresql', timeField);
  }
}

/**
 * A cursor takes one SELECT, VALUES or WITH statement; PostgreSQL rejects statements that change rows inside of a subquery. The line
 * break ends a comment at the end of the query.
 */
function toStatement(after: string, values: string[] = []): Statement {
  return { before: `DECLARE ${CURSOR} NO SCROLL CURSOR FOR SELECT * FROM (`, after: `\n) AS records${after}`, values };
}

/**
 * Returns the server's time. The first query fixes the mode of the transaction: after it, PostgreSQL does not allow to make the
 * transaction writable again. The transaction is never committed, because its connection is closed.
 */
async function beginReadOnly(client: PoolClient, limits: SourceLimits): Promise<Date> {
  await client.query('BEGIN READ ONLY');
  const { rows } = await client.query<{ now: string }>(
    `SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true),
            set_config('idle_in_transaction_session_timeout', $3, true), set_config('TimeZone', 'UTC', true),
            set_config('DateStyle', 'ISO', true), set_config('default_transaction_read_only', 'on', true),
            extract(epoch from clock_timestamp())::text AS now`,
    [`${limits.lockMs}ms`, `${limits.statementMs}ms`, `${limits.idleMs}ms`],
  );
  return new Date(Number(rows[0]?.now) * 1_000);
}

const asText = { getTypeParser: () => (text: string) => text };

async function fetchRows(client: PoolClient, count: number): Promise<Batch> {
  const { fields, rows } = await client.query<TextRow>({
    text: `FETCH FORWARD ${count} FROM ${CURSOR}`,
    rowMode: 'array',
    types: asText,
  });
  return { columns: fields, rows };
}
