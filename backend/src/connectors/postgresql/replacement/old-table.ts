import type pg from 'pg';
import type { Stream } from '../../kit/contract.js';
import { FixSettings } from '../../kit/errors.js';
import { quote, tableNameOf } from '../tables/names.js';
import type { PostgresqlSettings } from '../settings.js';
import { TABLE_MARKER, typeNames } from '../tables/table-format.js';

/** The table that is replaced, with everything that refers to it. */
export interface OldTable extends pg.QueryResultRow {
  id: string;
  isOwn: boolean;
  owner: string;
  comment: string | null;
  columns: { name: string; number: string; type: string; isRequired: boolean; standard: string | null }[];
  /** Plain views that read it directly. Only their owners can point them to another table: `missingRole` is one that the user lacks. */
  views: { name: string; sql: string; options: string[] | null; missingRole: string | null }[];
  /** Indexes besides the primary key. `sql` is the part after USING. */
  indexes: { name: string; isUnique: boolean; sql: string }[];
  /** Rights without the table: `SELECT`, `UPDATE ("name")`. */
  grants: { right: string; grantee: string; isGrantable: boolean }[];
  /** Why a new table cannot take its place. */
  obstacles: string[];
}

const GRANTEE = `CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END`;

/** Objects that a new table would not have, and that cannot be moved to it in the same transaction. */
const OBSTACLES = `
  SELECT 'it is partitioned' WHERE c.relkind <> 'r'
  UNION ALL SELECT 'it is part of an inheritance' WHERE EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhparent, inhrelid))
  UNION ALL SELECT 'it has row-level security' WHERE c.relrowsecurity
  UNION ALL SELECT 'it has the trigger ' || tgname FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal
  UNION ALL SELECT 'it has the constraint ' || conname FROM pg_constraint WHERE conrelid = c.oid AND contype IN ('c', 'f', 'u', 'x')
  UNION ALL SELECT 'the constraint ' || conname || ' refers to it' FROM pg_constraint WHERE confrelid = c.oid AND conrelid <> c.oid
  UNION ALL SELECT 'it belongs to the publication ' || pubname FROM pg_publication_rel JOIN pg_publication p ON p.oid = prpubid WHERE prrelid = c.oid
  UNION ALL SELECT 'its column ' || attname || ' is generated' FROM pg_attribute
             WHERE attrelid = c.oid AND attnum > 0 AND (attgenerated <> '' OR attidentity <> '')
  UNION ALL SELECT 'the materialized view or rule ' || v.relname || ' reads it' FROM readers v WHERE v.relkind <> 'v'
  UNION ALL SELECT 'the view ' || n.nspname || '.' || v.relname || ' is in a schema in which the user cannot create objects'
              FROM readers v JOIN pg_namespace n ON n.oid = v.relnamespace WHERE v.relkind = 'v' AND NOT has_schema_privilege(n.oid, 'CREATE')`;

/** Null if there is no table. */
export async function readOldTable(
  client: pg.ClientBase,
  settings: PostgresqlSettings,
  stream: Stream,
): Promise<OldTable | null> {
  const { rows } = await client.query<OldTable>(
    `WITH readers AS (
       SELECT DISTINCT v.oid, v.relname, v.relkind, v.relnamespace, v.relowner, v.reloptions FROM pg_depend d
         JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
         JOIN pg_class v ON v.oid = r.ev_class AND v.oid <> d.refobjid
        WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = to_regclass($3))
     SELECT c.oid::text AS id, pg_get_userbyid(c.relowner) AS owner, obj_description(c.oid, 'pg_class') AS comment,
            EXISTS (SELECT FROM ${quote(settings.schema)}._tributary_tables t WHERE t.table_id = c.oid AND t.table_name = c.relname)
              OR coalesce(obj_description(c.oid, 'pg_class'), '') LIKE '%' || $4 || '%' AS "isOwn",
            (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'number', a.attnum::text, 'type', format_type(a.atttypid, a.atttypmod),
                      'isRequired', a.attnotnull, 'standard', pg_get_expr(d.adbin, d.adrelid)) ORDER BY a.attnum), '[]')
               FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
            (SELECT coalesce(json_agg(json_build_object('name', quote_ident(n.nspname) || '.' || quote_ident(v.relname),
                      'sql', pg_get_viewdef(v.oid), 'options', v.reloptions,
                      'missingRole', CASE WHEN NOT pg_has_role(v.relowner, 'USAGE') THEN pg_get_userbyid(v.relowner) END)), '[]')
               FROM readers v JOIN pg_namespace n ON n.oid = v.relnamespace WHERE v.relkind = 'v') AS views,
            (SELECT coalesce(json_agg(json_build_object('name', ic.relname, 'isUnique', i.indisunique,
                      'sql', substring(pg_get_indexdef(i.indexrelid) from ' USING (.*)$'))), '[]')
               FROM pg_index i JOIN pg_class ic ON ic.oid = i.indexrelid
              WHERE i.indrelid = c.oid AND NOT i.indisprimary AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)) AS indexes,
            (SELECT coalesce(json_agg(json_build_object('right', g."right", 'grantee', g.grantee, 'isGrantable', g.is_grantable)), '[]')
               FROM (SELECT acl.privilege_type AS "right", ${GRANTEE} AS grantee, acl.is_grantable FROM aclexplode(c.relacl) acl
                      WHERE acl.grantee <> c.relowner
                     UNION ALL
                     SELECT acl.privilege_type || ' (' || quote_ident(a.attname) || ')', ${GRANTEE}, acl.is_grantable
                       FROM pg_attribute a CROSS JOIN LATERAL aclexplode(a.attacl) acl
                      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) g) AS grants,
            ARRAY(${OBSTACLES})::text[] AS obstacles
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2`,
    [
      settings.schema,
      tableNameOf(settings, stream),
      `${quote(settings.schema)}.${quote(tableNameOf(settings, stream))}`,
      TABLE_MARKER,
    ],
  );
  return rows[0] ?? null;
}

/** Throws if a new table cannot take the place of this one. */
export function assertReplaceable(settings: PostgresqlSettings, stream: Stream, old: OldTable): void {
  const name = `${settings.schema}.${tableNameOf(settings, stream)}`;
  if (!old.isOwn) throw refused(`The table "${name}" was not created by Tributary`, 'Choose another schema or table prefix');
  const existing = new Set(old.columns.map((column) => column.name));
  const missing = stream.key.filter((column) => !existing.has(column));
  const reasons = [...old.obstacles, ...missing.map((column) => `its column ${column} is missing`)];
  const [foreign] = old.views.filter(({ missingRole }) => missingRole !== null);
  if (foreign && reasons.length === 0)
    throw refused(
      `The table "${name}" cannot be replaced: the view ${foreign.name} belongs to the role ${foreign.missingRole}`,
      `Grant the role ${foreign.missingRole} to the user ${settings.user}, or drop the view, then re-sync again`,
    );
  if (reasons.length > 0)
    throw refused(
      `The table "${name}" cannot be replaced: ${reasons.slice(0, 5).join('; ')}`,
      'Remove what prevents it, then re-sync again',
    );
}

/** Columns of the stream with the expected type: their copied values are unchanged. */
export const keptColumns = (stream: Stream, { columns }: OldTable): Record<string, string> =>
  Object.fromEntries(
    columns
      .filter(({ name, type }) => {
        const own = stream.columns.find((column) => column.name === name);
        return !own || typeNames[own.type] === type;
      })
      .map(({ name, number }) => [name, number]),
  );

/** Not a problem of the destination, which other connections use without it. */
export const refused = (message: string, action: string, options?: ErrorOptions): FixSettings =>
  new FixSettings(
    { code: 'resync.refused', message: `${message}. The table was not changed.`, action, failureClass: 'schema' },
    options,
  );
