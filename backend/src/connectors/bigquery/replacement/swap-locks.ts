import { randomUUID } from 'node:crypto';
import type { ConnectorContext, Fence } from '../../kit/contract.js';
import { BigQueryFailure } from '../failure.js';
import { fenceParameters, holdRunSql, RUNS_TABLE } from '../fence.js';
import type { Jobs } from '../jobs.js';
import { transactionMutex } from '../keyed-mutex.js';
import { TABLE_REPLACED } from '../markers.js';
import { hashOf } from '../names.js';
import { readRows } from '../query.js';
import { assertSql, qualifiedTable, type Parameter } from '../sql.js';

/** In time limits of a job. A swap that takes longer is ended by a load that waits for it. */
const OVERDUE_JOBS = 3;

/**
 * A row in the table of runs while a table is replaced. Loads of the table fail and are repeated, and the replacing statement fails without
 * its row. Every load changes the table of runs in its transaction, so BigQuery aborts either the load or the transaction that adds the row:
 * https://cloud.google.com/bigquery/docs/transactions#transaction_concurrency
 */
export interface SwapLock {
  /** `run_id` of the row. */
  key: string;
  table: string;
  beside: string;
  isOverdue: boolean;
}

const PREFIX = 'swap';
/** Marks a row whose statement can no longer begin. */
const ENDING = ' ending';

const runsOf = ({ api }: Jobs): string => qualifiedTable(api.destination, RUNS_TABLE);
const swapsOf = (table: string): string => `${PREFIX} ${table} `;

/** Base name of the replacing jobs. */
export const swapBase = ({ key }: Pick<SwapLock, 'key'>): string => `tributary_swap_${hashOf([key])}`;

/** Part of each replacing transaction of a slice. */
export const noSwapSql = (runs: string): string =>
  assertSql(`NOT EXISTS (SELECT 1 FROM ${runs} WHERE STARTS_WITH(run_id, @swaps))`, TABLE_REPLACED);

export const swapParameter = (table: string): Parameter => ({ name: 'swaps', type: 'STRING', value: swapsOf(table) });

export const isReplacing = (error: unknown): boolean =>
  error instanceof BigQueryFailure && error.message.includes(TABLE_REPLACED);

/** Only the worker that owns the run gets it, and only while no other swap of the table is open. */
export async function lockTable(
  jobs: Jobs,
  context: ConnectorContext,
  { table, beside }: Pick<SwapLock, 'table' | 'beside'>,
  fence: Fence,
): Promise<SwapLock> {
  const key = `${swapsOf(table)}${beside} ${randomUUID()}`;
  const runs = runsOf(jobs);
  const query = [
    'BEGIN TRANSACTION',
    holdRunSql(runs),
    noSwapSql(runs),
    `INSERT INTO ${runs} (run_id, lease_epoch, loaded_at) SELECT @swap, @lease_epoch, CURRENT_TIMESTAMP()`,
    'COMMIT TRANSACTION',
  ].join(';\n');
  const parameters = [...fenceParameters(fence), swapParameter(table), keyParameter('swap', key)];
  await change(jobs, context, `tributary_lock_${hashOf([key])}`, query, parameters);
  return { key, table, beside, isOverdue: false };
}

/**
 * Ends swaps that a worker left open: from now on their statement cannot begin, and one that has begun is canceled or has ended. Only then
 * may others load the table.
 */
export async function endSwaps(jobs: Jobs, context: ConnectorContext, isWanted: (swap: SwapLock) => boolean): Promise<void> {
  for (const swap of await listSwaps(jobs, context)) if (isWanted(swap)) await endSwap(jobs, context, swap);
}

export const endOverdueSwaps = (jobs: Jobs, context: ConnectorContext, table: string): Promise<void> =>
  endSwaps(jobs, context, (swap) => swap.isOverdue && swap.table === table);

export async function endSwap(jobs: Jobs, context: ConnectorContext, swap: Pick<SwapLock, 'key'>): Promise<void> {
  const runs = runsOf(jobs);
  const base = `tributary_unlock_${hashOf([swap.key])}`;
  const parameters = [keyParameter('swap', swap.key), keyParameter('ending', `${swap.key}${ENDING}`)];
  await change(jobs, context, base, `UPDATE ${runs} SET run_id = @ending WHERE run_id = @swap`, parameters);
  await jobs.endAll(context, swapBase(swap));
  await change(jobs, context, base, `DELETE FROM ${runs} WHERE run_id = @ending`, parameters.slice(1));
}

async function listSwaps(jobs: Jobs, context: ConnectorContext): Promise<SwapLock[]> {
  const seconds = Math.ceil((OVERDUE_JOBS * jobs.api.pace.jobTimeoutMs) / 1_000);
  const query = `SELECT run_id, loaded_at < TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${seconds} SECOND)
    FROM ${runsOf(jobs)} WHERE STARTS_WITH(run_id, '${PREFIX} ')`;
  const rows = await readRows(jobs, context, query).catch((error: unknown) => {
    // Nothing was ever loaded into this dataset.
    if (error instanceof BigQueryFailure && error.reason === 'notFound') return [];
    throw error;
  });
  return rows.map(([row, isOverdue]) => {
    const key = (row ?? '').replace(ENDING, '');
    const [, table = '', beside = ''] = key.split(' ');
    return { key, table, beside, isOverdue: isOverdue === 'true' };
  });
}

async function change(
  jobs: Jobs,
  context: ConnectorContext,
  base: string,
  query: string,
  parameters: Parameter[],
): Promise<void> {
  const { projectId, datasetId } = jobs.api.destination;
  await jobs.runQuery(context, base, query, parameters, (work) => transactionMutex.take(`${projectId}.${datasetId}`, work));
}

const keyParameter = (name: string, value: string): Parameter => ({ name, type: 'STRING', value });
