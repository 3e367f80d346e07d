import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: a condition over the chunks of a run and the days that later runs have loaded.

/** SQL condition: whether a chunk `v` of a connection `c` differed at the destination, and has a day that no later run has loaded. */
export const IS_LOST = `v.failure->>'code' = 'sync.mismatch' and exists (
    select from coverage day
     where day.organization_id = c.organization_id and day.connection_id = c.id and day.stream = v.stream
       and day.account_id = v.account_id and day.day between v.day_from and v.day_to and day.state in ('missing', 'loading', 'failed'))`;

/**
 * SQL condition: whether the last run `ended` of a connection `c` failed only because rows differed at the destination, and later runs
 * have loaded all of them, such as those of a repair.
 */
export const IS_REPAIRED = `(ended.state in ('partial', 'failed') and ended.failure->>'code' = 'sync.mismatch' and not exists (
    select from run_slices v
     where v.organization_id = c.organization_id and v.run_id = ended.id and v.state in ('failed', 'skipped')
       and (coalesce(v.failure->>'code', '') <> 'sync.mismatch' or ${IS_LOST})))`;

/** Whether the last regular run of the connection is repaired. */
export async function isLastRunRepaired(query: TenantQuery, connectionId: string): Promise<boolean> {
  const repaired = await query(
    `select from connections c
      cross join lateral (
         select r.id, r.state, r.failure from runs r
          where r.organization_id = c.organization_id and r.connection_id = c.id and r.ended_at is not null
            and r.track = 'regular' and r.state not in ('cancelled', 'skipped')
          order by r.queued_at desc limit 1) ended
      where c.organization_id = $1 and c.id = $2 and ${IS_REPAIRED}`,
    [connectionId],
  );
  return repaired.length > 0;
}
