import type { ConnectorContext, Fence } from '../kit/contract.js';
import { LEASE_LOST } from './markers.js';
import type { Jobs } from './jobs.js';
import { hashOf } from './names.js';
import { assertSql, qualifiedTable, type Parameter } from './sql.js';
import { transactionMutex } from './keyed-mutex.js';

export const RUNS_TABLE = '_tributary_runs';
/** Older rows are deleted: no worker runs that long. */
const RETENTION_DAYS = 90;
const isMine = 'run_id = @run_id AND lease_epoch = @lease_epoch';
const newerSql = (runs: string) => `SELECT 1 FROM ${runs} WHERE run_id = @run_id AND lease_epoch > @lease_epoch`;

/**
 * Registers the worker that loads a run, before any row is read. A newer worker has a higher epoch and always wins. A transaction
 * of an older worker is aborted, because this script deletes the row that it updates.
 */
export async function claimRun(jobs: Jobs, context: ConnectorContext, fence: Fence): Promise<void> {
  const { projectId, datasetId } = jobs.api.destination;
  const { base, query, parameters } = claimQuery(jobs, fence);
  await jobs.runQuery(context, base, query, parameters, (work) => transactionMutex.take(`${projectId}.${datasetId}`, work));
}

export function claimQuery(jobs: Jobs, fence: Fence): { base: string; query: string; parameters: Parameter[] } {
  const runs = qualifiedTable(jobs.api.destination, RUNS_TABLE);
  const query = `
    BEGIN TRANSACTION;
    ${assertSql(`NOT EXISTS (${newerSql(runs)})`, LEASE_LOST)};
    DELETE FROM ${runs} WHERE (run_id = @run_id AND lease_epoch < @lease_epoch)
      OR loaded_at < TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${RETENTION_DAYS} DAY);
    INSERT INTO ${runs} (run_id, lease_epoch, loaded_at)
      SELECT @run_id, @lease_epoch, CURRENT_TIMESTAMP() FROM (SELECT 1) WHERE NOT EXISTS (SELECT 1 FROM ${runs} WHERE ${isMine});
    COMMIT TRANSACTION`;
  const base = `tributary_claim_${hashOf([fence.runId, String(fence.leaseEpoch)])}`;
  return { base, query, parameters: fenceParameters(fence) };
}

/**
 * Part of the replacing transaction. It continues only if this worker owns the run. It also updates the run's row, so at most one
 * of two transactions of a run commits, even if no other rows conflict.
 */
export function holdRunSql(runs: string): string {
  const isHeld = `EXISTS (SELECT 1 FROM ${runs} WHERE ${isMine}) AND NOT EXISTS (${newerSql(runs)})`;
  return `${assertSql(isHeld, LEASE_LOST)};
    UPDATE ${runs} SET loaded_at = CURRENT_TIMESTAMP() WHERE ${isMine}`;
}

export function fenceParameters(fence: Fence): Parameter[] {
  return [
    { name: 'run_id', type: 'STRING', value: fence.runId },
    { name: 'lease_epoch', type: 'INT64', value: String(fence.leaseEpoch) },
  ];
}
