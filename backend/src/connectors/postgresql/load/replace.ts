import type pg from 'pg';
import type { Fence, Slice } from '../../kit/contract.js';
import type { Database } from '../connection/connection.js';
import { holdRun } from './fence.js';
import { sliceCondition } from './slice.js';
import { copyInto, type Copying, createStaging, STAGING, type Staged } from './staging.js';
import { qualifiedTable, quote } from '../tables/names.js';

/** Pairs of replaced stored rows and staged rows. tid is the physical location of a row. */
const DIFFERENCE = 'pg_temp._tributary_difference';
/** For the hash join of a slice with the stored rows. PostgreSQL's default of 4 MB would spill it to disk. */
const JOIN_MEMORY = '64MB';

/** Replaces the days of the slice with the staged rows, in one transaction. Equal rows are not changed. */
export async function replaceSlice(
  client: pg.PoolClient,
  { settings, limits }: Pick<Database, 'settings' | 'limits'>,
  slice: Slice,
  staged: Staged,
  fence: Fence,
  signal: AbortSignal,
): Promise<void> {
  const table = qualifiedTable(settings, slice.stream);
  const copying = { signal, answerMs: limits.answerMs };
  await client.query(`SELECT set_config('work_mem', $1, true), set_config('jit', 'off', true)`, [JOIN_MEMORY]);
  // Two runs may load the same days concurrently, such as a backfill and a scheduled run. The lock serializes them, oldest day
  // first.
  await client.query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1 || ':' || day::date, 0)) FROM generate_series($2::date, $3::date, '1 day') day`,
    [`${table}:${slice.account.externalId}`, slice.from, slice.to],
  );
  await holdRun(client, settings.schema, fence);
  const { rowCount } = await client.query(`SELECT FROM ${table} WHERE ${sliceCondition(slice)} LIMIT 1`);
  if (rowCount === 0) await insertAll(client, table, slice, staged, copying);
  else {
    if (staged.held) await createStaging(client, slice.stream);
    if (staged.held) await copyInto(client, STAGING, slice.stream, staged.held, copying);
    await applyDifference(client, table, slice);
  }
  signal.throwIfAborted();
  await client.query(`DROP TABLE IF EXISTS ${STAGING}, ${DIFFERENCE}`);
}

/** For days without stored rows, which need no comparison. */
async function insertAll(client: pg.PoolClient, table: string, slice: Slice, staged: Staged, copying: Copying): Promise<void> {
  if (staged.held) return copyInto(client, table, slice.stream, staged.held, copying);
  const columns = columnList(slice);
  await client.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${STAGING}`);
}

/** One hash join finds deleted, changed and new rows. Usually few rows change, and unchanged rows need no vacuum. */
async function applyDifference(client: pg.PoolClient, table: string, slice: Slice): Promise<void> {
  const { columns, key } = slice.stream;
  const sameKey = key.map((name) => `stored.${quote(name)} = staged.${quote(name)}`).join(' AND ');
  const differs = columns
    .filter(({ name }) => !key.includes(name))
    .map(({ name }) => `stored.${quote(name)} IS DISTINCT FROM staged.${quote(name)}`)
    .join(' OR ');
  await client.query(`CREATE TEMP TABLE _tributary_difference (old_row tid, new_row tid)`);
  await client.query(
    `INSERT INTO ${DIFFERENCE}
     SELECT stored.old_row, staged.ctid
       FROM (SELECT ctid AS old_row, ${columnList(slice)} FROM ${table} WHERE ${sliceCondition(slice)}) stored
       FULL JOIN ${STAGING} staged ON ${sameKey}
      WHERE stored.old_row IS NULL OR staged.ctid IS NULL OR ${differs}`,
  );
  await client.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT old_row FROM ${DIFFERENCE} WHERE old_row IS NOT NULL))`,
  );
  await client.query(
    `INSERT INTO ${table} (${columnList(slice)}) SELECT ${columnList(slice)} FROM ${STAGING}
      WHERE ctid = ANY (ARRAY (SELECT new_row FROM ${DIFFERENCE} WHERE new_row IS NOT NULL))`,
  );
}

function columnList(slice: Slice): string {
  return slice.stream.columns.map(({ name }) => quote(name)).join(', ');
}
