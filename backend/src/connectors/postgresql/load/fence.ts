import type pg from 'pg';
import type { Fence } from '../../kit/contract.js';
import { LeaseLost } from '../../kit/errors.js';
import type { Database } from '../connection/connection.js';
import { inTransaction } from '../connection/transaction.js';
import { execute, type Statement } from '../statement.js';
import { quote } from '../tables/names.js';

/**
 * Registers the worker that loads the run, before any row is read. A newer worker has a higher epoch and always wins. A worker that
 * owns the run already waits for nothing, because another of its slices may hold the row of the run for long.
 */
export async function claimRun(
  client: pg.ClientBase,
  { settings: { schema }, limits }: Pick<Database, 'settings' | 'limits'>,
  fence: Fence,
): Promise<void> {
  const { rows } = await execute<{ isHeld: boolean }>(client, ownershipStatement(schema, fence));
  if (rows[0]?.isHeld === true) return;
  const { rowCount } = await inTransaction(client, limits, () => execute(client, claimStatement(schema, fence)));
  if (rowCount === 0) throw lost(fence);
}

/** The session is idle while the pages are read, which the server or the role may limit. */
export const ownershipStatement = (schema: string, { runId, leaseEpoch }: Fence): Statement => ({
  title: 'Find out whether the worker owns the run, and allow an idle session',
  sql: `SELECT coalesce((SELECT lease_epoch = $2 FROM ${quote(schema)}._tributary_runs WHERE run_id = $1), false) AS "isHeld",
            set_config('idle_session_timeout', '0', false)`,
  values: [runId, leaseEpoch],
});

export const claimStatement = (schema: string, { runId, leaseEpoch }: Fence): Statement => ({
  title: 'Register the run',
  sql: `INSERT INTO ${quote(schema)}._tributary_runs AS runs (run_id, lease_epoch) VALUES ($1, $2)
     ON CONFLICT (run_id) DO UPDATE SET lease_epoch = excluded.lease_epoch, loaded_at = now() WHERE runs.lease_epoch <= excluded.lease_epoch`,
  values: [runId, leaseEpoch],
});

/**
 * Part of the replacing transaction. The shared lock allows concurrent slices of the same worker, and makes a newer worker's
 * claim wait until this transaction ends. A committing worker therefore owns the run at that moment.
 */
export async function holdRun(client: pg.ClientBase, schema: string, fence: Fence): Promise<void> {
  const { rows } = await execute<{ isHeld: boolean }>(client, holdStatement(schema, fence));
  if (rows[0]?.isHeld !== true) throw lost(fence);
}

export const holdStatement = (schema: string, { runId, leaseEpoch }: Fence): Statement => ({
  title: 'Verify that the worker still owns the run',
  sql: `SELECT lease_epoch = $2 AS "isHeld" FROM ${quote(schema)}._tributary_runs WHERE run_id = $1 FOR SHARE`,
  values: [runId, leaseEpoch],
});

function lost(fence: Fence): LeaseLost {
  return new LeaseLost(`run ${fence.runId} is owned by another worker; epoch ${fence.leaseEpoch} has ended`);
}
