import pg from 'pg';
import type { Column, Stream, Targets } from '../../kit/contract.js';
import { ColumnsChanged, type FailureDetail, FixSettings, RetryLater } from '../../kit/errors.js';
import { codeOf } from '../errors.js';
import { locateTables } from './locate.js';
import { qualifiedTable, quote, tableNameOf } from './names.js';
import type { PostgresqlSettings } from '../settings.js';
import { columnDefinition, isOurComment, TABLE_MARKER, tableComment, typeNames } from './table-format.js';
import { inTransaction, type Limits } from '../connection/transaction.js';

/** SQLSTATE of a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03';

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
    await takeTurn(client, schema);
    await createSchema(client, schema);
    await createOwnTables(client, schema);
  });
  for (const stream of streams) {
    await inTransaction(client, limits, async () => {
      await takeTurn(client, `${schema}.${tableNameOf(settings, stream)}`);
      // Readers of a table queue behind a session that waits to change it.
      await client.query(`SELECT set_config('lock_timeout', $1, true)`, [`${limits.tableLockMs}ms`]);
      await prepareTable(client, settings, stream);
    });
  }
  return locateTables(client, settings, streams);
}

/** Takes a lock until the transaction ends. Locks no table. */
async function takeTurn(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`tributary:${name}`]);
}

async function createSchema(client: pg.ClientBase, schema: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  // IF NOT EXISTS alone requires the CREATE permission even if the schema exists.
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
    const runsComment = `Runs that load into this schema. A worker that lost its run cannot commit. ${TABLE_MARKER}.`;
    const tablesComment = `Tables that Tributary created and may change. ${TABLE_MARKER}.`;
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

/** Identified by its id, which survives a changed comment, or by its comment, which survives a dump and restore. */
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
  // The key begins with account and day, so its index also serves slice queries.
  columns.push(`PRIMARY KEY (${stream.key.map(quote).join(', ')})`);
  await client.query(`CREATE TABLE ${qualifiedTable(settings, stream)} (${columns.join(', ')})`);
}

/** PostgreSQL may reuse the id of a dropped table, so an existing entry is overwritten. */
async function registerTable(client: pg.ClientBase, settings: PostgresqlSettings, stream: Stream): Promise<void> {
  await client.query(
    `INSERT INTO ${quote(settings.schema)}._tributary_tables (table_id, table_name)
     SELECT c.oid, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2
     ON CONFLICT (table_id) DO UPDATE SET table_name = excluded.table_name, created_at = excluded.created_at`,
    [settings.schema, tableNameOf(settings, stream)],
  );
}

async function widenTable(client: pg.ClientBase, settings: PostgresqlSettings, stream: Stream, tableId: string): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string; isKey: boolean }>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, coalesce(a.attnum = ANY (i.indkey), false) AS "isKey"
       FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
      WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped`,
    [tableId],
  );
  const existing = new Map(rows.map((row) => [row.name, row]));
  const changed = stream.columns.filter(({ name, type }) => existing.has(name) && existing.get(name)?.type !== typeNames[type]);
  if (changed.length > 0) throw changedColumns(settings, stream, changed, (name) => existing.get(name)?.type ?? '');
  const missing = stream.columns.filter(({ name }) => !existing.has(name));
  if (missing.length > 0) await addColumns(client, settings, stream, missing);
  const keyOf = (names: string[]) => [...names].sort().join(', ');
  const foundKey = keyOf(rows.filter((row) => row.isKey).map((row) => row.name));
  if (foundKey !== keyOf(stream.key))
    throw changedTable(settings, stream, `its key is (${foundKey}), expected (${keyOf(stream.key)})`);
}

async function addColumns(client: pg.ClientBase, settings: PostgresqlSettings, stream: Stream, columns: Column[]): Promise<void> {
  const additions = columns.map((column) => `ADD COLUMN ${columnDefinition(column)}`).join(', ');
  try {
    await client.query(`ALTER TABLE ${qualifiedTable(settings, stream)} ${additions}`);
  } catch (error) {
    throw codeOf(error) === LOCK_NOT_AVAILABLE ? lockedTable(settings, stream, columns) : error;
  }
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

/** Updates only comments that differ, because COMMENT takes a lock that waits for VACUUM and for table changes. */
async function commentTable(client: pg.ClientBase, settings: PostgresqlSettings, stream: Stream): Promise<void> {
  const table = qualifiedTable(settings, stream);
  const { rows } = await client.query<{ name: string | null; comment: string | null }>(
    `SELECT a.attname AS name, col_description(a.attrelid, a.attnum) AS comment FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0
     UNION ALL SELECT NULL, obj_description($1::regclass, 'pg_class')`,
    [table],
  );
  const existing = new Map(rows.map((row) => [row.name, row.comment]));
  const found = existing.get(null);
  const wanted = tableComment(stream.description);
  if (isOurComment(found) && found !== wanted) await client.query(`COMMENT ON TABLE ${table} IS ${pg.escapeLiteral(wanted)}`);
  for (const column of stream.columns) {
    if (existing.get(column.name) === column.description) continue;
    await client.query(`COMMENT ON COLUMN ${table}.${quote(column.name)} IS ${pg.escapeLiteral(column.description)}`);
  }
}

function foreignTable(settings: PostgresqlSettings, stream: Stream): FixSettings {
  return new FixSettings({
    code: 'postgresql.foreign_table',
    message: `The table "${settings.schema}.${tableNameOf(settings, stream)}" already exists and was not created by Tributary. It was not changed.`,
    action: 'Choose another schema or table prefix',
    failureClass: 'schema',
  });
}

const changeDetail = (settings: PostgresqlSettings, stream: Stream, difference: string): FailureDetail => ({
  code: 'postgresql.table_changed',
  message: `The table "${settings.schema}.${tableNameOf(settings, stream)}" was changed: ${difference}.`,
  action: 'Undo the change, or choose another table prefix',
});

const changedTable = (settings: PostgresqlSettings, stream: Stream, difference: string): FixSettings =>
  new FixSettings({ ...changeDetail(settings, stream, difference), failureClass: 'schema' });

function changedColumns(
  settings: PostgresqlSettings,
  stream: Stream,
  columns: Column[],
  typeOf: (name: string) => string,
): ColumnsChanged {
  const differences = columns.map(({ name, type }) => `its column "${name}" is ${typeOf(name)}, expected ${typeNames[type]}`);
  const detail = changeDetail(settings, stream, differences.join('; '));
  return new ColumnsChanged({ ...detail, stream: stream.name, columns: columns.map(({ name }) => name) });
}

function lockedTable(settings: PostgresqlSettings, stream: Stream, columns: Column[]): RetryLater {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  return new RetryLater({
    code: `postgresql.${LOCK_NOT_AVAILABLE.toLowerCase()}`,
    message: `${names} could not be added to "${settings.schema}.${tableNameOf(settings, stream)}": another session holds a lock on the table.`,
    action: 'None: Tributary retries automatically',
  });
}
