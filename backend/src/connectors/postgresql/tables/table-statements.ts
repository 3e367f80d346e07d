import pg from 'pg';
import type { Column, Stream } from '../../kit/contract.js';
import type { PostgresqlSettings } from '../settings.js';
import type { Statement } from '../statement.js';
import { qualifiedTable, quote, tableNameOf } from './names.js';
import { columnDefinition, isOurComment, TABLE_MARKER, tableComment, typeNames } from './table-format.js';
import { changedColumns, changedTable, foreignTable } from './table-errors.js';

/** A table as it is now. */
export interface TableState {
  isRegistered: boolean;
  isOwn: boolean;
  comment: string | null;
  columns: { name: string; type: string; isKey: boolean; comment: string | null }[];
}

/** A statement on a table, with the columns that it adds. */
export interface TableStatement extends Statement {
  added?: Column[];
}

/** Takes a lock until the transaction ends. Locks no table. */
export const turnStatement = (name: string): Statement => ({
  title: 'Wait for other runs that prepare the same tables',
  sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
  values: [`tributary:${name}`],
});

/** Readers of a table queue behind a session that waits to change it. */
export const tableLockStatement = (tableLockMs: number): Statement => ({
  title: 'Set the time limit for the lock of the table',
  sql: `SELECT set_config('lock_timeout', $1, true)`,
  values: [`${tableLockMs}ms`],
});

/** IF NOT EXISTS alone requires the CREATE permission even if the schema exists. */
export const schemaStatement = (schema: string): Statement => ({
  title: 'Create the schema',
  sql: `CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`,
});

export function ownTablesStatement(schema: string): Statement {
  const runs = `${quote(schema)}._tributary_runs`;
  const tables = `${quote(schema)}._tributary_tables`;
  const runsComment = `Runs that load into this schema. A worker that lost its run cannot commit. ${TABLE_MARKER}.`;
  const tablesComment = `Tables that Tributary created and may change. ${TABLE_MARKER}.`;
  return {
    title: 'Create the tables of runs and of created tables',
    sql: `
      CREATE TABLE IF NOT EXISTS ${runs} (run_id uuid PRIMARY KEY, lease_epoch bigint NOT NULL, loaded_at timestamptz NOT NULL DEFAULT now());
      COMMENT ON TABLE ${runs} IS ${pg.escapeLiteral(runsComment)};
      CREATE TABLE IF NOT EXISTS ${tables} (table_id oid PRIMARY KEY, table_name text NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
      COMMENT ON TABLE ${tables} IS ${pg.escapeLiteral(tablesComment)}`,
  };
}

/** Creates or extends the table of a stream; `found` is null if there is none. Throws if the table cannot be used. */
export function tableStatements(settings: PostgresqlSettings, stream: Stream, found: TableState | null): TableStatement[] {
  if (found && !found.isOwn) throw foreignTable(settings, stream);
  return [
    ...(found ? widenStatements(settings, stream, found) : [createStatement(settings, stream)]),
    ...(found?.isRegistered ? [] : [registerStatement(settings, stream)]),
    ...commentStatements(settings, stream, found),
  ];
}

function createStatement(settings: PostgresqlSettings, stream: Stream): Statement {
  const columns = stream.columns.map(
    (column) => `${columnDefinition(column)}${stream.key.includes(column.name) ? ' NOT NULL' : ''}`,
  );
  // The key begins with account and day, so its index also serves slice queries.
  columns.push(`PRIMARY KEY (${stream.key.map(quote).join(', ')})`);
  return { title: 'Create the table', sql: `CREATE TABLE ${qualifiedTable(settings, stream)} (${columns.join(', ')})` };
}

/** PostgreSQL may reuse the id of a dropped table, so an existing entry is overwritten. */
const registerStatement = (settings: PostgresqlSettings, stream: Stream): Statement => ({
  title: 'Register the table',
  sql: `INSERT INTO ${quote(settings.schema)}._tributary_tables (table_id, table_name)
     SELECT c.oid, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2
     ON CONFLICT (table_id) DO UPDATE SET table_name = excluded.table_name, created_at = excluded.created_at`,
  values: [settings.schema, tableNameOf(settings, stream)],
});

function widenStatements(settings: PostgresqlSettings, stream: Stream, { columns }: TableState): TableStatement[] {
  const existing = new Map(columns.map((column) => [column.name, column]));
  const changed = stream.columns.filter(({ name, type }) => existing.has(name) && existing.get(name)?.type !== typeNames[type]);
  if (changed.length > 0) throw changedColumns(settings, stream, changed, (name) => existing.get(name)?.type ?? '');
  const keyOf = (names: string[]) => [...names].sort().join(', ');
  const foundKey = keyOf(columns.filter(({ isKey }) => isKey).map(({ name }) => name));
  if (foundKey !== keyOf(stream.key))
    throw changedTable(settings, stream, `its key is (${foundKey}), expected (${keyOf(stream.key)})`);
  const added = stream.columns.filter(({ name }) => !existing.has(name));
  if (added.length === 0) return [];
  const additions = added.map((column) => `ADD COLUMN ${columnDefinition(column)}`).join(', ');
  return [{ title: 'Add columns', sql: `ALTER TABLE ${qualifiedTable(settings, stream)} ${additions}`, added }];
}

/** Updates only comments that differ, because COMMENT takes a lock that waits for VACUUM and for table changes. */
function commentStatements(settings: PostgresqlSettings, stream: Stream, found: TableState | null): Statement[] {
  const table = qualifiedTable(settings, stream);
  const existing = new Map(found?.columns.map(({ name, comment }) => [name, comment]));
  const wanted = tableComment(stream.description);
  const hasWanted = !isOurComment(found?.comment) || found?.comment === wanted;
  const columns = stream.columns.filter(({ name, description }) => existing.get(name) !== description);
  return [
    ...(hasWanted ? [] : [{ title: 'Describe the table', sql: `COMMENT ON TABLE ${table} IS ${pg.escapeLiteral(wanted)}` }]),
    ...columns.map(({ name, description }) => ({
      title: `Describe the column ${name}`,
      sql: `COMMENT ON COLUMN ${table}.${quote(name)} IS ${pg.escapeLiteral(description)}`,
    })),
  ];
}
