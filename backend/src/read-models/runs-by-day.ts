import type { TenantDatabase } from '../core/database/tenant-database.js';

// SQL: counts runs by the days of the organization's time zone.

/** A run is queued at most so long before it ends: limits the search to an index range. */
const LONGEST_RUN_DAYS = 14;

interface RunsOfDay extends Record<string, unknown> {
  date: string;
  verified: number;
  incomplete: number;
  failed: number;
}

/** The runs of a connection by the day of their end. Days on which none ended are left out. */
export const countRunsByDay = (
  tenants: TenantDatabase,
  organizationId: string,
  connectionId: string,
  { from, to }: { from: string; to: string },
): Promise<RunsOfDay[]> =>
  tenants.query<RunsOfDay>(
    organizationId,
    `select day::text as date, count(*) filter (where state = 'succeeded')::int as verified,
            count(*) filter (where state in ('partial', 'unverified'))::int as incomplete,
            count(*) filter (where state = 'failed')::int as failed
       from (select r.state, (r.ended_at at time zone o.time_zone)::date as day
               from runs r join organizations o on o.id = r.organization_id
              where r.organization_id = $1 and r.connection_id = $2 and r.queued_at between $3::date - $5::int and $4::date + 2
                and r.state in ('succeeded', 'partial', 'unverified', 'failed')) ended
      where day between $3::date and $4::date group by day order by day`,
    [connectionId, from, to, LONGEST_RUN_DAYS],
  );
