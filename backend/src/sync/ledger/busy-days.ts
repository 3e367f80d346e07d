import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { RunTrack } from '../../generated/prisma/client.js';
import type { Lease } from './lease.js';
import { daysBusy } from '../run/run-errors.js';
import type { PlannedSlice } from '../run/plan-slices.js';
import { withoutBusyDays, withoutBusySlices } from '../run/run-scope.js';

// SQL: locks the connection; runs in a transaction without Prisma (`TenantDatabase.together`).

interface PlanningRun {
  connectionId: string;
  runId: string;
  track: RunTrack;
}

/**
 * Removes the days that another active run of the connection is going to load, so that two runs never load the same day at the
 * same time. The lock lasts until the plan is saved. A backfill leaves out whole slices, because its chunks are loaded as a whole.
 */
export async function withoutBusy(query: TenantQuery, run: PlanningRun, slices: PlannedSlice[]): Promise<PlannedSlice[]> {
  await query('select 1 from connections where organization_id = $1 and id = $2 for no key update', [run.connectionId]);
  const busy = await query<PlannedSlice & Record<string, unknown>>(
    `select s.stream, s.account_id as "accountId", s.day_from as from, s.day_to as to
       from runs r join run_slices s on s.organization_id = r.organization_id and s.run_id = r.id
      where r.organization_id = $1 and r.connection_id = $2 and r.id <> $3 and r.ended_at is null
        and s.state in ('pending', 'running') and r.scope->'resync' is null`,
    [run.connectionId, run.runId],
  );
  await assertNoSwap(query, run);
  if (busy.length === 0) return slices;
  const free = run.track === 'backfill' ? withoutBusySlices(slices, busy) : withoutBusyDays(slices, busy);
  // A reload loads exactly the days that a user selected, so it waits for all of them.
  if (free.length === 0 || (run.track === 'reload' && countAll(free) < countAll(slices))) throw daysBusy();
  return free;
}

/**
 * A load between the last read and the swap of a re-sync would be lost with the old table. A re-sync that waits for a retry does not
 * block others, unless the swap may have been applied: it finds their days before the swap.
 */
async function assertNoSwap(query: TenantQuery, { connectionId, runId }: PlanningRun): Promise<void> {
  const swapping = await query(
    `select from runs r join resyncs s on s.organization_id = r.organization_id and s.swap_run_id = r.id
      where r.organization_id = $1 and r.connection_id = $2 and r.id <> $3 and r.ended_at is null and r.window_from is not null
        and (r.state <> 'waiting' or s.swap_started_at is not null) limit 1`,
    [connectionId, runId],
  );
  if (swapping.length > 0) throw daysBusy();
}

const countAll = (slices: PlannedSlice[]): number =>
  slices.reduce((sum, { from, to }) => sum + (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1, 0);

/**
 * Removes the waiting slices of streams and accounts that were removed since the plan was made. If none is left, the run is planned
 * again.
 */
export async function dropGone(
  query: TenantQuery,
  lease: Lease,
  { streams, accounts }: { streams: Map<string, unknown>; accounts: Map<string, unknown> },
): Promise<void> {
  await query(
    `delete from run_slices
      where organization_id = $1 and run_id = $2 and state = 'pending' and (stream <> all($3::text[]) or account_id <> all($4::text[]))`,
    [lease.runId, [...streams.keys()], [...accounts.keys()]],
  );
  const left = await query('select from run_slices where organization_id = $1 and run_id = $2 limit 1', [lease.runId]);
  lease.isPlanned = left.length > 0;
}

/** Days that an ended run planned but did not load are missing again. */
export async function releaseDays(query: TenantQuery, runId: string): Promise<void> {
  await query(`update coverage set state = 'missing' where organization_id = $1 and run_id = $2 and state = 'loading'`, [runId]);
}
