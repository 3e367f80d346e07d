import type pg from 'pg';
import {
  type Fence,
  type Page,
  PREVIEW_ROWS,
  type PreviewStep,
  type Slice,
  type Stream,
  type WriteContext,
  type WritePreview,
} from '../kit/contract.js';
import { splitLines } from '../kit/rows/row-text.js';
import type { Database } from './connection/connection.js';
import { BEGIN, COMMIT, inReadOnlyTransaction, transactionOf } from './connection/transaction.js';
import { claimStatement, holdStatement, ownershipStatement } from './load/fence.js';
import { clearStatement, lockStatements, probeStatement, readState, replaceStatements } from './load/replace-statements.js';
import { copyStatement, HELD_BYTES_LIMIT, identityStatement, STAGING, stagingStatement, withoutLimits } from './load/staging.js';
import type { Statement } from './statement.js';
import { qualifiedTable, tableNameOf } from './tables/names.js';
import { findPrepared } from './tables/prepared.js';
import { tableLockStatement, tableStatements, turnStatement } from './tables/table-statements.js';
import { findSchema, findTable, schemaStatements, turnOf } from './tables/tables.js';
import { totalsStatement } from './tables/totals.js';

/** The statements of `prepare`, `write` and `totals` for the slice, in their order. Reads the catalog and the table only. */
export async function previewSlice(
  database: Database,
  { signal }: WriteContext,
  slice: Slice,
  pages: AsyncIterable<Page>,
  fence: Fence,
): Promise<WritePreview> {
  const { settings, limits } = database;
  const rows = await collect(pages);
  return database.use(signal, async (client) => {
    const preparation = await preparationOf(client, database, slice);
    const load = await loadOf(client, database, slice, { fence, isHeld: rows.bytes <= HELD_BYTES_LIMIT });
    const check = transactionOf(limits, [totalsStatement(settings, slice)]);
    return {
      target: `${settings.schema}.${tableNameOf(settings, slice.stream)}`,
      steps: [...preparation, ...load, ...check].map((statement) => toStep(statement, rows.lines)),
      omittedSteps: 0,
      omittedRows: rows.count - rows.lines.length,
    };
  });
}

interface Collected {
  /** The first rows, as COPY text. */
  lines: string[];
  count: number;
  bytes: number;
}

async function collect(pages: AsyncIterable<Page>): Promise<Collected> {
  const rows: Collected = { lines: [], count: 0, bytes: 0 };
  for await (const { lines, rowCount } of pages) {
    if (rows.lines.length < PREVIEW_ROWS) rows.lines.push(...splitLines(lines).slice(0, PREVIEW_ROWS - rows.lines.length));
    rows.count += rowCount;
    rows.bytes += lines.length;
  }
  return rows;
}

async function preparationOf(client: pg.ClientBase, { settings, limits }: Database, { stream }: Slice): Promise<Statement[]> {
  if (await findPrepared(client, settings, [stream])) return [];
  return inReadOnlyTransaction(client, limits, async () => {
    const schema = await findSchema(client, settings.schema);
    const found = await findTable(client, settings, stream, schema);
    return [
      ...transactionOf(limits, [turnStatement(settings.schema), ...schemaStatements(settings.schema, schema)]),
      ...transactionOf(limits, [
        turnStatement(turnOf(settings, stream)),
        tableLockStatement(limits.tableLockMs),
        ...tableStatements(settings, stream, found),
      ]),
    ];
  });
}

async function loadOf(
  client: pg.ClientBase,
  { settings, limits }: Database,
  slice: Slice,
  { fence, isHeld }: { fence: Fence; isHeld: boolean },
): Promise<Statement[]> {
  const table = qualifiedTable(settings, slice.stream);
  const stored = await inReadOnlyTransaction(client, limits, async () => {
    const { rows } = await client.query<{ isThere: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [table]);
    return rows[0]?.isThere ? readState(client, table, slice) : { hasRows: false, hasParts: false };
  });
  return [
    ownershipStatement(settings.schema, fence),
    ...transactionOf(limits, [claimStatement(settings.schema, fence)]),
    ...(isHeld ? [] : stagingOf(slice.stream)),
    ...transactionOf(limits, [
      ...lockStatements(table, slice),
      holdStatement(settings.schema, fence),
      ...(isHeld ? [] : [identityStatement]),
      probeStatement(table, slice),
      ...replaceStatements(table, slice, { ...stored, isHeld }),
      clearStatement,
    ]),
  ];
}

const stagingOf = (stream: Stream): Statement[] => [
  BEGIN,
  withoutLimits,
  stagingStatement(stream),
  copyStatement(STAGING, stream),
  identityStatement,
  COMMIT,
];

function toStep({ title, sql, values, takesRows }: Statement, lines: string[]): PreviewStep {
  const given = values && JSON.stringify(values.map((value) => (typeof value === 'bigint' ? String(value) : value)));
  return { title, kind: 'sql', text: sql, body: takesRows ? lines.join('\n') : (given ?? null) };
}
