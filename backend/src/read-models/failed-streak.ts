import type { Failure } from '../core/http/failure.dto.js';
import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: an aggregate over the runs since the last success.

export interface FailedStreak extends Record<string, unknown> {
  failures: number;
  failingSince: Date;
  /** Of the newest run. */
  failure: Failure;
}

/** Regular runs of a connection that failed in a row since it was resumed. */
export async function findFailedStreak(
  query: TenantQuery,
  connectionId: string,
  resumedAt: Date | null,
): Promise<FailedStreak | undefined> {
  const [streak] = await query<FailedStreak>(
    `select count(*)::int as failures, min(r.ended_at) as "failingSince", (array_agg(r.failure order by r.queued_at desc))[1] as failure
       from runs r
      where r.organization_id = $1 and r.connection_id = $2 and r.track = 'regular' and r.state = 'failed' and r.failure is not null
        and r.queued_at > greatest($3::timestamptz, coalesce((
          select max(g.queued_at) from runs g
           where g.organization_id = $1 and g.connection_id = $2 and g.track = 'regular' and g.state in ('succeeded', 'partial', 'unverified')), '-infinity'))
     having count(*) > 0`,
    [connectionId, resumedAt],
  );
  return streak;
}
