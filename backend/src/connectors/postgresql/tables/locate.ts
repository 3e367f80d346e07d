import type pg from 'pg';
import type { Stream, Target, Targets } from '../../kit/contract.js';
import { quote, tableNameOf } from './names.js';
import type { PostgresqlSettings } from '../settings.js';

interface FoundTable {
  name: string;
  /** Seconds since 1970. */
  registeredAt: string;
  columns: Record<string, string>;
}

/** Where the streams' rows are, with one query for any number of streams. Locks and changes nothing. */
export async function locateTables(client: pg.ClientBase, settings: PostgresqlSettings, streams: Stream[]): Promise<Targets> {
  const names = [...new Set(streams.map((stream) => tableNameOf(settings, stream)))];
  const found = new Map((await findTables(client, settings.schema, names)).map((table) => [table.name, table]));
  return new Map(
    streams.flatMap((stream) => {
      const table = found.get(tableNameOf(settings, stream));
      return table ? [[stream.name, targetOf(settings, table)] as const] : [];
    }),
  );
}

/** Contains the registration time to the microsecond, so that a recreated or restored table is a different target. */
export function targetOf(
  { host, port, database, schema }: PostgresqlSettings,
  { name, registeredAt, columns }: FoundTable,
): Target {
  return { place: `${host}:${port}/${database}/${schema}.${name}@${registeredAt}`, table: `${schema}.${name}`, columns };
}

/**
 * Identifies a column by its number. Renaming does not change it, and a new column never gets the number of a dropped one.
 * https://www.postgresql.org/docs/current/catalog-pg-attribute.html
 */
async function findTables(client: pg.ClientBase, schema: string, names: string[]): Promise<FoundTable[]> {
  const registry = `${quote(schema)}._tributary_tables`;
  const { rows: known } = await client.query<{ isThere: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [registry]);
  if (!known[0]?.isThere) return [];
  const { rows } = await client.query<FoundTable>(
    `SELECT c.relname AS name, extract(epoch FROM t.created_at)::text AS "registeredAt",
            json_object_agg(a.attname, a.attnum::text) AS columns
       FROM ${registry} t
       JOIN pg_class c ON c.oid = t.table_id AND c.relname = t.table_name
       JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE n.nspname = $1 AND c.relname = ANY ($2)
      GROUP BY c.relname, t.created_at`,
    [schema, names],
  );
  return rows;
}
