import type pg from 'pg';
import type { Fence, Slice } from '../../kit/contract.js';
import type { Database } from '../connection/connection.js';
import { pooledServer } from '../connection/pooled.js';
import { execute } from '../statement.js';
import { holdRun } from './fence.js';
import { clearStatement, lockStatements, readState, replaceStatements } from './replace-statements.js';
import { copyInto, type Staged, stagingId } from './staging.js';
import { qualifiedTable } from '../tables/names.js';
import { outdatedRows } from '../tables/table-errors.js';

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
  for (const statement of lockStatements(table, slice)) await execute(client, statement);
  await holdRun(client, settings.schema, fence);
  if (staged.held === null && (await stagingId(client)) !== staged.tableId) throw pooledServer(settings);
  const state = { ...(await readState(client, table, slice)), isHeld: staged.held !== null };
  let deleted: number | null = 0;
  for (const statement of replaceStatements(table, slice, state)) {
    if (statement.takesRows) {
      if (staged.held) await copyInto(client, statement, staged.held, { signal, answerMs: limits.answerMs });
      continue;
    }
    const { command, rowCount, rows } = await execute<{ outdated?: number }>(client, statement);
    if (command === 'DELETE') deleted = rowCount;
    const outdated = rows[0]?.outdated;
    if (outdated !== undefined && outdated !== deleted) throw outdatedRows(settings, slice.stream);
  }
  signal.throwIfAborted();
  await execute(client, clearStatement);
}
