import pg from 'pg';
import type { Slice } from '../../kit/contract.js';
import { execute, type Statement } from '../statement.js';
import { quote } from '../tables/names.js';
import { sliceCondition } from './slice.js';
import { columnList, copyStatement, STAGING, stagingStatement } from './staging.js';

/**
 * Pairs of replaced stored rows and staged rows. tid is the physical location of a row within one table: partitions and tables
 * that inherit from the table have their own.
 */
const DIFFERENCE = 'pg_temp._tributary_difference';
/** For the hash join of a slice with the stored rows. PostgreSQL's default of 4 MB would spill it to disk. */
const JOIN_MEMORY = '64MB';

/** The beginning of the replacing transaction. */
export function lockStatements(table: string, slice: Slice): Statement[] {
  return [
    {
      title: 'Set the memory of the comparison',
      sql: `SELECT set_config('work_mem', $1, true), set_config('jit', 'off', true)`,
      values: [JOIN_MEMORY],
    },
    // Two runs may load the same days concurrently, such as a backfill and a scheduled run. The lock serializes them, oldest day
    // first.
    {
      title: 'Wait for other loads of these days',
      sql: `SELECT pg_advisory_xact_lock(hashtextextended($1 || ':' || day::date, 0)) FROM generate_series($2::date, $3::date, '1 day') day`,
      values: [`${table}:${slice.account.externalId}`, slice.from, slice.to],
    },
  ];
}

export const probeStatement = (table: string, slice: Slice): Statement => ({
  title: 'Find out whether rows are stored for these days',
  sql: `SELECT EXISTS (SELECT FROM ${table} WHERE ${sliceCondition(slice)}) AS "hasRows",
            (SELECT relhassubclass FROM pg_class WHERE oid = ${idOf(table)}) AS "hasParts"`,
});

interface StoredState {
  /** Rows are stored for the days of the slice. */
  hasRows: boolean;
  /** The table has partitions or tables that inherit from it, whose rows count as its own. */
  hasParts: boolean;
}

/** The table must exist. */
export async function readState(client: pg.ClientBase, table: string, slice: Slice): Promise<StoredState> {
  const { rows } = await execute<StoredState & pg.QueryResultRow>(client, probeStatement(table, slice));
  return { hasRows: rows[0]?.hasRows === true, hasParts: rows[0]?.hasParts === true };
}

interface SliceState extends StoredState {
  /** The rows are in memory and not yet in the staging table. */
  isHeld: boolean;
}

/** Without stored rows nothing is compared. */
export function replaceStatements(
  table: string,
  { stream, ...slice }: Slice,
  { hasRows, hasParts, isHeld }: SliceState,
): Statement[] {
  if (!hasRows && isHeld) return [copyStatement(table, stream)];
  const columns = columnList(stream);
  if (!hasRows)
    return [{ title: 'Insert the staged rows', sql: `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${STAGING}` }];
  const staging = isHeld ? [stagingStatement(stream), copyStatement(STAGING, stream)] : [];
  return [...staging, ...differenceStatements(table, { stream, ...slice }, hasParts)];
}

/** One hash join finds deleted, changed and new rows. Usually few rows change, and unchanged rows need no vacuum. */
function differenceStatements(table: string, slice: Slice, hasParts: boolean): Statement[] {
  const { columns, key } = slice.stream;
  const list = columnList(slice.stream);
  const sameKey = key.map((name) => `stored.${quote(name)} = staged.${quote(name)}`).join(' AND ');
  const differs = columns
    .filter(({ name }) => !key.includes(name))
    .map(({ name }) => `stored.${quote(name)} IS DISTINCT FROM staged.${quote(name)}`)
    .join(' OR ');
  return [
    {
      title: 'Create a temporary table of differences',
      sql: `CREATE TEMP TABLE _tributary_difference (old_table oid, old_row tid, new_row tid)`,
    },
    {
      title: 'Compare the stored with the staged rows',
      sql: `INSERT INTO ${DIFFERENCE}
     SELECT stored.old_table, stored.old_row, staged.ctid
       FROM (SELECT tableoid AS old_table, ctid AS old_row, ${list} FROM ${table} WHERE ${sliceCondition(slice)}) stored
       FULL JOIN ${STAGING} staged ON ${sameKey}
      WHERE stored.old_row IS NULL OR staged.ctid IS NULL OR ${differs}`,
    },
    { title: 'Delete changed and removed rows', sql: hasParts ? deletionInParts(table, slice) : deletion(table) },
    {
      title: 'Insert changed and new rows',
      sql: `INSERT INTO ${table} (${list}) SELECT ${list} FROM ${STAGING}
      WHERE ctid = ANY (ARRAY (SELECT new_row FROM ${DIFFERENCE} WHERE new_row IS NOT NULL))`,
    },
    { title: 'Count the rows to delete', sql: `SELECT count(old_row)::int AS outdated FROM ${DIFFERENCE}` },
  ];
}

const idOf = (table: string): string => `${pg.escapeLiteral(table)}::regclass`;

/** Reads each row at its location. */
const deletion = (table: string): string =>
  `DELETE FROM ONLY ${table}
      WHERE ctid = ANY (ARRAY (SELECT old_row FROM ${DIFFERENCE} WHERE old_table = ${idOf(table)}))`;

/** Reads only the parts that store the slice, which the condition finds. */
const deletionInParts = (table: string, slice: Slice): string =>
  `DELETE FROM ${table} AS stored USING ${DIFFERENCE} AS difference
      WHERE stored.tableoid = difference.old_table AND stored.ctid = difference.old_row AND ${sliceCondition(slice)}`;

export const clearStatement: Statement = {
  title: 'Drop the temporary tables',
  sql: `DROP TABLE IF EXISTS ${STAGING}, ${DIFFERENCE}`,
};
