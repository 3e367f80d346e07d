import type pg from 'pg';
import type { Stream, Targets } from '../../kit/contract.js';
import { inTransaction, type Limits } from '../connection/transaction.js';
import { codeOf } from '../errors.js';
import type { PostgresqlSettings } from '../settings.js';
import { execute, type Statement } from '../statement.js';
import { locateTables } from './locate.js';
import { quote, tableNameOf } from './names.js';
import { LOCK_NOT_AVAILABLE, lockedTable } from './table-errors.js';
import { TABLE_MARKER } from './table-format.js';
import {
  ownTablesStatement,
  schemaStatement,
  tableLockStatement,
  type TableState,
  type TableStatement,
  tableStatements,
  turnStatement,
} from './table-statements.js';

export interface Prepared {
  settings: PostgresqlSettings;
  limits: Limits;
}

/**
 * Each table has its own transaction, so that no table stays locked while waiting for another. Concurrent workers wait for each
 * other.
 */
export async function changeTables(client: pg.ClientBase, { settings, limits }: Prepared, streams: Stream[]): Promise<Targets> {
  const { schema } = settings;
  await inTransaction(client, limits, async () => {
    await execute(client, turnStatement(schema));
    for (const statement of schemaStatements(schema, await findSchema(client, schema))) await execute(client, statement);
  });
  for (const stream of streams) {
    await inTransaction(client, limits, async () => {
      await execute(client, turnStatement(turnOf(settings, stream)));
      await execute(client, tableLockStatement(limits.tableLockMs));
      const found = await findTable(client, settings, stream, { hasOwnTables: true });
      for (const statement of tableStatements(settings, stream, found)) await change(client, settings, stream, statement);
    });
  }
  return locateTables(client, settings, streams);
}

export const turnOf = (settings: PostgresqlSettings, stream: Stream): string =>
  `${settings.schema}.${tableNameOf(settings, stream)}`;

async function change(
  client: pg.ClientBase,
  settings: PostgresqlSettings,
  stream: Stream,
  statement: TableStatement,
): Promise<void> {
  try {
    await execute(client, statement);
  } catch (error) {
    const isLocked = statement.added && codeOf(error) === LOCK_NOT_AVAILABLE;
    throw isLocked ? lockedTable(settings, stream, statement.added ?? []) : error;
  }
}

export interface SchemaState {
  isThere: boolean;
  hasOwnTables: boolean;
}

export async function findSchema(client: pg.ClientBase, schema: string): Promise<SchemaState> {
  const { rows } = await client.query<SchemaState>(
    `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS "isThere",
            to_regclass($2) IS NOT NULL AND to_regclass($3) IS NOT NULL AS "hasOwnTables"`,
    [schema, `${quote(schema)}._tributary_runs`, `${quote(schema)}._tributary_tables`],
  );
  return rows[0] ?? { isThere: false, hasOwnTables: false };
}

export function schemaStatements(schema: string, { isThere, hasOwnTables }: SchemaState): Statement[] {
  return [...(isThere ? [] : [schemaStatement(schema)]), ...(hasOwnTables ? [] : [ownTablesStatement(schema)])];
}

/**
 * Null if there is no such table. Tables of Tributary are identified by their id, which survives a changed comment, or by their
 * comment, which survives a dump and restore.
 */
export async function findTable(
  client: pg.ClientBase,
  settings: PostgresqlSettings,
  stream: Stream,
  { hasOwnTables }: Pick<SchemaState, 'hasOwnTables'>,
): Promise<TableState | null> {
  const registered = hasOwnTables
    ? `EXISTS (SELECT FROM ${quote(settings.schema)}._tributary_tables t WHERE t.table_id = c.oid AND t.table_name = c.relname)`
    : 'false';
  const { rows } = await client.query<TableState>(
    `SELECT ${registered} AS "isRegistered",
            c.relkind IN ('r', 'p') AND (${registered} OR coalesce(obj_description(c.oid, 'pg_class'), '') LIKE '%' || $3 || '%') AS "isOwn",
            obj_description(c.oid, 'pg_class') AS comment,
            (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
                      'isKey', coalesce(a.attnum = ANY (i.indkey), false), 'comment', col_description(c.oid, a.attnum))), '[]')
               FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
       FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2`,
    [settings.schema, tableNameOf(settings, stream), TABLE_MARKER],
  );
  return rows[0] ?? null;
}

/** The types of the table's columns by name; empty if the table does not exist. */
export async function columnTypes(
  client: pg.ClientBase,
  settings: Pick<PostgresqlSettings, 'schema' | 'tablePrefix'>,
  stream: Stream,
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
       FROM pg_attribute a
       JOIN pg_class c ON c.oid = a.attrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped`,
    [settings.schema, tableNameOf(settings, stream)],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}
