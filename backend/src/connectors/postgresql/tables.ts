import pg from 'pg';
import type { Column, ColumnType, Stream, Targets } from '../kit/contract.js';
import { FixSettings } from '../kit/errors.js';
import type { PostgresqlSettings } from './settings.js';
import { inTransaction, type Limits } from './transaction.js';

/** Written by Tributary into the comment of each table it makes; a table without it and without a registered id is foreign. */
export const TABLE_MARKER = 'Loaded by Tributary';

export const typeNames: Record<ColumnType, string> = {
  text: 'text',
  bigint: 'bigint',
  double: 'double precision',
  date: 'date',
  boolean: 'boolean',
};

export function quote(name: string): string {
  return pg.escapeIdentifier(name);
}

export function tableNameOf(settings: Pick<PostgresqlSettings, 'tablePrefix'>, stream: Stream): string {
  return `${settings.tablePrefix}${stream.table}`;
}

/** Schema and table, quoted: for SQL. */
export function qualifiedTable(settings: Pick<PostgresqlSettings, 'schema' | 'tablePrefix'>, stream: Stream): string {
  return `${quote(settings.schema)}.${quote(tableNameOf(settings, stream))}`;
}

export function columnDefinition(column: Column): string {
  return `${quote(column.name)} ${typeNames[column.type]}`;
}

export interface Prepared {
  settings: PostgresqlSettings;
  limits: Limits;
}

/** Makes or widens the tables of the streams in one transaction. Two workers at once: the second waits for the first. */
export async function changeTables(client: pg.ClientBase, { settings, limits }: Prepared, streams: Stream[]): Promise<Targets> {
  const targets: Targets = new Map();
  await inTransaction(client, { ...limits, lockMs: limits.tableLockMs }, async () => {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`tributary:${settings.schema}`]);
    await createSchema(client, settings.schema);
    await createOwnTables(client, settings.schema);
    for (const stream of streams) {
      await prepareTable(client, settings, stream);
      targets.set(stream.name, await targetOf(client, settings, stream));
    }
  });
  return targets;
}

async function createSchema(client: pg.ClientBase, schema: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  // IF NOT EXISTS alone would ask for the right to create schemas even where none has to be made.
  if (rowCount === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`);
}

async function createOwnTables(client: pg.ClientBase, schema: string): Promise<void> {
  const runs = `${quote(schema)}._tributary_runs`;
  const tables = `${quote(schema)}._tributary_tables`;
  const { rows } = await client.query<{ isThere: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AND to_regclass($2) IS NOT NULL AS "isThere"',
    [runs, tables],
  );
  if (!rows[0]?.isThere) {
    const runsComment = `Runs that load into this schema: a worker that has lost its run cannot commit. ${TABLE_MARKER}.`;
    const tablesComment = `Tables made, and therefore changed, by Tributary alone. ${TABLE_MARKER}.`;
    await client.query(`
      CREATE TABLE IF NOT EXISTS ${runs} (run_id uuid PRIMARY KEY, lease_epoch bigint NOT NULL, loaded_at timestamptz NOT NULL DEFAULT now());
      COMMENT ON TABLE ${runs} IS ${pg.escapeLiteral(runsComment)};
      CREATE TABLE IF NOT EXISTS ${tables} (table_id oid PRIMARY KEY, table_name text NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
      COMMENT ON TABLE ${tables} IS ${pg.escapeLiteral(tablesComment)}`);
  }
}

async function prepareTable(client: pg.ClientBase, settings: PostgresqlSettings, stream: Stream): Promise<void> {
  const found = await findTable(client, settings.schema, tableNameOf(settings, stream));
  if (found && !found.isOwn) throw foreignTable(settings, stream);
  if (found) await widenTable(client, settings, stream, found.tableId);
  else await createTable(client, settings, stream);
  if (!found?.isRegistered) await registerTable(client, settings, stream);
  await commentTable(client, settings, stream);
}

/** Known by its id, which a rewritten comment keeps, or by its comment, which a dump and restore keeps. */
async function findTable(
  client: pg.ClientBase,
  schema: string,
  table: string,
): Promise<{ tableId: string; isRegistered: boolean; isOwn: boolean } | null> {
  const { rows } = await client.query<{ tableId: string; isRegistered: boolean; isOwn: boolean }>(
    `SELECT c.oid::text AS "tableId", t.table_id IS NOT NULL AS "isRegistered",
            c.relkind IN ('r', 'p') AND (t.table_id IS NOT NULL
              OR coalesce(obj_description(c.oid, 'pg_class'), '') LIKE '%' || $3 || '%') AS "isOwn"
       FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN ${quote(schema)}._tributary_tables t ON t.table_id = c.oid AND t.table_name = c.relname
      WHERE n.nspname = $1 AND c.relname = $2`,
    [schema, table, TABLE_MARKER],
  );
  return rows[0] ?? null;
}

async function createTable(client: pg.ClientBase, settings: PostgresqlSettings, stream: Stream): Promise<void> {
  const columns = stream.columns.map(
    (column) => `${columnDefinition(column)}${stream.key.includes(column.name) ? ' NOT NULL' : ''}`,
  );
  // The key begins with account and day, so its index also finds the slices.
  columns.push(`PRIMARY KEY (${stream.key.map(quote).join(', ')})`);
  await client.query(`CREATE TABLE ${qualifiedTable(settings, stream)} (${columns.join(', ')})`);
}

/** An id may be that of a table which is gone: from then on it is this one's. */
async function registerTable(client: pg.ClientBase, settings: PostgresqlSettings, stream: Stream): Promise<void> {
  await client.query(
    `INSERT INTO ${quote(settings.schema)}._tributary_tables (table_id, table_name)
     SELECT c.oid, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2
     ON CONFLICT (table_id) DO UPDATE SET table_name = excluded.table_name, created_at = excluded.created_at`,
    [settings.schema, tableNameOf(settings, stream)],
  );
}

/** With when it was registered, to the microsecond: a table made anew, or given back from a dump, is another one. */
async function targetOf(client: pg.ClientBase, settings: PostgresqlSettings, stream: Stream): Promise<string> {
  const { schema } = settings;
  const table = tableNameOf(settings, stream);
  const { rows } = await client.query<{ registeredAt: string }>(
    `SELECT extract(epoch FROM t.created_at)::text AS "registeredAt"
       FROM ${quote(schema)}._tributary_tables t
       JOIN pg_class c ON c.oid = t.table_id
       JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2`,
    [schema, table],
  );
  return targetName(settings, stream, rows[0]?.registeredAt);
}

export function targetName(settings: PostgresqlSettings, stream: Stream, registeredAt: string | undefined): string {
  const { host, port, database, schema } = settings;
  return `${host}:${port}/${database}/${schema}.${tableNameOf(settings, stream)}@${registeredAt}`;
}

async function widenTable(client: pg.ClientBase, settings: PostgresqlSettings, stream: Stream, tableId: string): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string; isKey: boolean }>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, coalesce(a.attnum = ANY (i.indkey), false) AS "isKey"
       FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
      WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped`,
    [tableId],
  );
  const existing = new Map(rows.map((row) => [row.name, row]));
  for (const column of stream.columns) {
    const found = existing.get(column.name);
    if (found && found.type !== typeNames[column.type]) {
      throw changedTable(settings, stream, `its column "${column.name}" is ${found.type}, expected ${typeNames[column.type]}`);
    }
    if (!found) await client.query(`ALTER TABLE ${qualifiedTable(settings, stream)} ADD COLUMN ${columnDefinition(column)}`);
  }
  const keyOf = (names: string[]) => [...names].sort().join(', ');
  const foundKey = keyOf(rows.filter((row) => row.isKey).map((row) => row.name));
  if (foundKey !== keyOf(stream.key))
    throw changedTable(settings, stream, `its key is (${foundKey}), expected (${keyOf(stream.key)})`);
}

/** Only the comments that differ: COMMENT takes a lock that waits for VACUUM and for whoever changes the table. */
async function commentTable(client: pg.ClientBase, settings: PostgresqlSettings, stream: Stream): Promise<void> {
  const table = qualifiedTable(settings, stream);
  const { rows } = await client.query<{ name: string | null; comment: string | null }>(
    `SELECT a.attname AS name, col_description(a.attrelid, a.attnum) AS comment FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0
     UNION ALL SELECT NULL, obj_description($1::regclass, 'pg_class')`,
    [table],
  );
  const existing = new Map(rows.map((row) => [row.name, row.comment]));
  const tableComment = existing.get(null);
  const wanted = `${stream.description} ${TABLE_MARKER}.`;
  if (isOurComment(tableComment) && tableComment !== wanted)
    await client.query(`COMMENT ON TABLE ${table} IS ${pg.escapeLiteral(wanted)}`);
  for (const column of stream.columns) {
    if (existing.get(column.name) === column.description) continue;
    await client.query(`COMMENT ON COLUMN ${table}.${quote(column.name)} IS ${pg.escapeLiteral(column.description)}`);
  }
}

/** A comment that somebody has written over ours stays. */
export const isOurComment = (comment: string | null | undefined): boolean => !comment || comment.includes(TABLE_MARKER);

function foreignTable(settings: PostgresqlSettings, stream: Stream): FixSettings {
  return new FixSettings({
    code: 'postgresql.foreign_table',
    message: `The table "${settings.schema}.${tableNameOf(settings, stream)}" exists and was not made by Tributary. It was not touched.`,
    action: 'Choose another schema or table prefix',
    failureClass: 'schema',
  });
}

function changedTable(settings: PostgresqlSettings, stream: Stream, difference: string): FixSettings {
  return new FixSettings({
    code: 'postgresql.table_changed',
    message: `The table "${settings.schema}.${tableNameOf(settings, stream)}" was changed: ${difference}.`,
    action: 'Undo the change, or choose another table prefix',
    failureClass: 'schema',
  });
}
