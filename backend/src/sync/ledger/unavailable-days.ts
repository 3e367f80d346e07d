import type { Day } from '../../connectors/kit/contract.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';

// SQL: part of the transaction that holds the lease of the run.

/**
 * Removes the days before `first` from the slices of a run that have not ended. A report that was requested for them is requested
 * again without them. Returns how many slices changed and how many the run has now.
 */
export async function removeUnavailableDays(
  query: TenantQuery,
  runId: string,
  first: Day,
): Promise<{ changed: number; remaining: number }> {
  const removed = await query(
    `delete from run_slices
      where organization_id = $1 and run_id = $2 and state in ('pending', 'running') and day_to < $3 returning id`,
    [runId, first],
  );
  const shortened = await query(
    `update run_slices set day_from = $3, remote_job_id = null, remote_job_at = null, remote_job_wait_at = null
      where organization_id = $1 and run_id = $2 and state in ('pending', 'running') and day_from < $3 returning id`,
    [runId, first],
  );
  const [run] = await query<{ remaining: number }>(
    'select count(*)::int as remaining from run_slices where organization_id = $1 and run_id = $2',
    [runId],
  );
  return { changed: removed.length + shortened.length, remaining: run?.remaining ?? 0 };
}
