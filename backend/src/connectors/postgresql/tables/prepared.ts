import type pg from 'pg';
import type { Stream, Targets } from '../../kit/contract.js';
import { targetOf } from './locate.js';
import { quote, tableNameOf } from './names.js';
import type { PostgresqlSettings } from '../settings.js';
import { isOurComment, tableComment, typeNames } from './table-format.js';

/** SQLSTATE of a missing table and of a missing schema. */
const MISSING = new Set(['42P01', '3F000']);

interface FoundTable {
  table: string;
  registeredAt: string;
  comment: string | null;
  columns: { name: string; number: string; type: string; isKey: boolean; comment: string | null }[];
}

/**
 * Where the streams' rows are, if every table is up to date; null if one must be created or changed. Uses one catalog query
 * without a transaction or a lock. Almost every run needs only this.
 */
export async function findPrepared(
  client: pg.ClientBase,
  settings: PostgresqlSettings,
  streams: Stream[],
): Promise<Targets | null> {
  const found = await findTables(client, settings, streams);
  const targets: Targets = new Map();
  for (const stream of streams) {
    const table = found.get(tableNameOf(settings, stream));
    if (!table || !isAsWanted(table, stream)) return null;
    const columns = Object.fromEntries(table.columns.map(({ name, number }) => [name, number]));
    targets.set(stream.name, targetOf(settings, { name: table.table, registeredAt: table.registeredAt, columns }));
  }
  return targets;
}

async function findTables(
  client: pg.ClientBase,
  settings: PostgresqlSettings,
  streams: Stream[],
): Promise<Map<string, FoundTable>> {
  const schema = quote(settings.schema);
  try {
    const { rows } = await client.query<FoundTable>(
      `SELECT c.relname AS "table", extract(epoch FROM t.created_at)::text AS "registeredAt", obj_description(c.oid, 'pg_class') AS comment,
              (SELECT json_agg(json_build_object('name', a.attname, 'number', a.attnum::text, 'type', format_type(a.atttypid, a.atttypmod),
                        'isKey', coalesce(a.attnum = ANY (i.indkey), false), 'comment', col_description(c.oid, a.attnum)))
                 FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
         FROM ${schema}._tributary_tables t
         JOIN pg_class c ON c.oid = t.table_id AND c.relname = t.table_name
         JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = ANY ($2::text[]) AND c.relkind IN ('r', 'p') AND to_regclass($3) IS NOT NULL`,
      [settings.schema, streams.map((stream) => tableNameOf(settings, stream)), `${schema}._tributary_runs`],
    );
    return new Map(rows.map((row) => [row.table, row]));
  } catch (error) {
    if (MISSING.has((error as { code?: string }).code ?? '')) return new Map();
    throw error;
  }
}

function isAsWanted({ comment, columns }: FoundTable, stream: Stream): boolean {
  const existing = new Map(columns.map((column) => [column.name, column]));
  const isComplete = stream.columns.every(({ name, type, description }) => {
    const column = existing.get(name);
    return column?.type === typeNames[type] && column.comment === description;
  });
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name);
  const hasKey = keys.length === stream.key.length && keys.every((name) => stream.key.includes(name));
  return isComplete && hasKey && (!isOurComment(comment) || comment === tableComment(stream.description));
}
