import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { Failure } from '../../core/http/failure.dto.js';
import type { SliceOutcome } from './lease.js';

// SQL: in the transaction that is fenced by the lease.

export async function saveSlice(
  query: TenantQuery,
  outcome: SliceOutcome,
  state: 'done' | 'failed',
  failure: Failure | null,
): Promise<void> {
  const { slice, expected, found, bytes, totalCostMicros, stepMs, metrics } = outcome;
  await query(
    `update run_slices set state = $3, failure = $4, rows_read = $5, cost_micros = $6, rows_found = $7, cost_found = $8, bytes = $9, total_cost_micros = $10,
            step_ms = $11, metrics = $12, ended_at = now()
      where organization_id = $1 and id = $2`,
    [
      slice.id,
      state,
      failure,
      expected.rows,
      expected.costMicros,
      found.rows,
      found.costMicros,
      bytes,
      totalCostMicros,
      stepMs,
      metrics,
    ],
  );
}

/** Rows have arrived, so the run starts counting its errors and crashes from zero. */
export async function addToRun(query: TenantQuery, runId: string, outcome: SliceOutcome): Promise<void> {
  await query(
    `update runs set rows_read = rows_read + $3, rows_written = rows_written + $4, bytes = bytes + $5,
            faults = 0, quota_faults = 0, worker_deaths = 0, heartbeat_at = now(), progress_at = now(), stuck_at = null, step = 'load'
      where organization_id = $1 and id = $2`,
    [runId, outcome.expected.rows, outcome.found.rows, outcome.bytes],
  );
}
