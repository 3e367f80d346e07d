import type pg from 'pg';
import type { Fence, Slice } from '../../kit/contract.js';
import type { Database } from '../connection/connection.js';
import { execute } from '../statement.js';
import { holdRun } from './fence.js';
import { clearStatement, lockStatements, probeStatement, replaceStatements } from './replace-statements.js';
import { copyInto, type Staged } from './staging.js';
import { qualifiedTable } from '../tables/names.js';

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
  const { rowCount } = await execute(client, probeStatement(table, slice));
  const state = { hasRows: rowCount !== 0, isHeld: staged.held !== null };
  for (const statement of replaceStatements(table, slice, state)) {
    if (!statement.takesRows) await execute(client, statement);
    else if (staged.held) await copyInto(client, statement, staged.held, { signal, answerMs: limits.answerMs });
  }
  signal.throwIfAborted();
  await execute(client, clearStatement);
}
