import type { ConnectorContext, Fence } from '../kit/contract.js';
import { LEASE_LOST } from './marks.js';
import type { Jobs } from './jobs.js';
import { hashOf } from './names.js';
import { demandSql, qualifiedTable, type Parameter } from './sql.js';
import { transactionMutex } from './keyed-mutex.js';

export const RUNS_TABLE = '_tributary_runs';
/** Fences of runs whose last load is older are of no use: no worker lives that long. */
const RETENTION_DAYS = 90;
const isMine = 'run_id = @run_id AND lease_epoch = @lease_epoch';
const newerSql = (runs: string) => `SELECT 1 FROM ${runs} WHERE run_id = @run_id AND lease_epoch > @lease_epoch`;

/**
 * Announces who loads a run, before any row is read. A newer worker has the higher epoch and is never overruled. What an older
 * one has under way is aborted: it changes the row that goes away here.
 */
export async function claimRun(jobs: Jobs, context: ConnectorContext, fence: Fence): Promise<void> {
  const { projectId, datasetId } = jobs.api.destination;
  const runs = qualifiedTable(jobs.api.destination, RUNS_TABLE);
  const script = `
    BEGIN TRANSACTION;
    ${demandSql(`NOT EXISTS (${newerSql(runs)})`, LEASE_LOST)};
    DELETE FROM ${runs} WHERE (run_id = @run_id AND lease_epoch < @lease_epoch)
      OR loaded_at < TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${RETENTION_DAYS} DAY);
    INSERT INTO ${runs} (run_id, lease_epoch, loaded_at)
      SELECT @run_id, @lease_epoch, CURRENT_TIMESTAMP() FROM (SELECT 1) WHERE NOT EXISTS (SELECT 1 FROM ${runs} WHERE ${isMine});
    COMMIT TRANSACTION`;
  const base = `tributary_claim_${hashOf([fence.runId, String(fence.leaseEpoch)])}`;
  await transactionMutex.take(`${projectId}.${datasetId}`, () => jobs.runQuery(context, base, script, fenceParameters(fence)));
}

/**
 * Inside the replacing transaction: goes on only for who holds the run, and by touching its row makes sure that of two
 * transactions of a run one at most commits, even where there is no other row for them to meet at.
 */
export function holdRunSql(runs: string): string {
  const isHeld = `EXISTS (SELECT 1 FROM ${runs} WHERE ${isMine}) AND NOT EXISTS (${newerSql(runs)})`;
  return `${demandSql(isHeld, LEASE_LOST)};
    UPDATE ${runs} SET loaded_at = CURRENT_TIMESTAMP() WHERE ${isMine}`;
}

export function fenceParameters(fence: Fence): Parameter[] {
  return [
    { name: 'run_id', type: 'STRING', value: fence.runId },
    { name: 'lease_epoch', type: 'INT64', value: String(fence.leaseEpoch) },
  ];
}
