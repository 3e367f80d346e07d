import type { ConnectorContext, Fence, LoadedSlice, Page, Slice } from '../kit/contract.js';
import { fenceParameters, holdRunSql, RUNS_TABLE } from './fence.js';
import { endOverdueSwaps, isReplacing, noSwapSql, swapParameter } from './replacement/swap-locks.js';
import type { Jobs } from './jobs.js';
import { ROWS_LOST } from './markers.js';
import { sliceName, tableNameOf } from './names.js';
import { assertSql, qualifiedTable, quote, sliceCondition, type Parameter } from './sql.js';
import { Staging } from './staging.js';
import { transactionMutex } from './keyed-mutex.js';

/** Stages the pages, then replaces the slice's days with them in one transaction. */
export async function writeSlice(
  jobs: Jobs,
  context: ConnectorContext,
  slice: Slice,
  pages: AsyncIterable<Page>,
  fence: Fence,
): Promise<LoadedSlice> {
  const { projectId, datasetId } = jobs.api.destination;
  const staging = new Staging(jobs, slice, fence);
  try {
    const { rows, bytes } = await staging.fill(context, pages);
    const { query, parameters } = replaceScript(jobs, slice, fence, staging.name, rows);
    await jobs.runQuery(context, replaceBase(slice, fence), query, parameters, (work) =>
      transactionMutex.take(`${projectId}.${datasetId}`, work),
    );
    return { rowsWritten: rows, bytes };
  } catch (error) {
    if (isReplacing(error)) await endOverdueSwaps(jobs, context, tableNameOf(jobs.api.destination, slice.stream));
    throw error;
  } finally {
    await staging.remove();
  }
}

export const replaceBase = (slice: Slice, fence: Fence): string => `tributary_replace_${sliceName(fence, slice)}`;

export function replaceScript(
  { api }: Jobs,
  slice: Slice,
  fence: Fence,
  staging: string | null,
  rows: number,
): { query: string; parameters: Parameter[] } {
  const { destination } = api;
  const table = qualifiedTable(destination, tableNameOf(destination, slice.stream));
  const condition = sliceCondition(slice);
  const columns = slice.stream.columns.map(({ name }) => quote(name)).join(', ');
  const statements = [
    'BEGIN TRANSACTION',
    holdRunSql(qualifiedTable(destination, RUNS_TABLE)),
    // After the fence, which conflicts with the transaction that begins a swap.
    noSwapSql(qualifiedTable(destination, RUNS_TABLE)),
    `DELETE FROM ${table} WHERE ${condition.sql}`,
  ];
  if (staging !== null) {
    const staged = qualifiedTable(destination, staging);
    statements.push(
      assertSql(`(SELECT COUNT(*) FROM ${staged}) = ${rows}`, ROWS_LOST),
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${staged}`,
    );
  }
  const query = [...statements, 'COMMIT TRANSACTION'].join(';\n');
  return {
    query,
    parameters: [...fenceParameters(fence), swapParameter(tableNameOf(destination, slice.stream)), ...condition.parameters],
  };
}
