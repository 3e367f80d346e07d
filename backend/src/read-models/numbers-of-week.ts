import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: sums over runs and alerts of a week in the organization's time zone.

/** What the weekly summary reports. */
export interface NumbersOfWeek extends Record<string, unknown> {
  connections: number;
  paused: number;
  succeeded: number;
  failed: number;
  rows: number;
  openAlerts: number;
  newAlerts: number;
}

/** The seven calendar days before the Monday `week`. */
export async function readNumbersOfWeek(query: TenantQuery, week: string, timeZone: string): Promise<NumbersOfWeek> {
  const [numbers] = await query<NumbersOfWeek>(
    `with span as (select ($2::date - 7)::timestamp at time zone $3 as begins, $2::date::timestamp at time zone $3 as ends),
          past as (select r.* from runs r, span where r.organization_id = $1 and r.ended_at >= span.begins and r.ended_at < span.ends)
     select (select count(*)::int from connections where organization_id = $1 and deleted_at is null) as connections,
            (select count(*)::int from connections where organization_id = $1 and deleted_at is null and desired = 'paused') as paused,
            (select count(*)::int from past where state = 'succeeded') as succeeded,
            (select count(*)::int from past where state = 'failed') as failed,
            (select coalesce(sum(rows_written), 0)::float8 from past) as rows,
            (select count(*)::int from alerts where organization_id = $1 and recovered_at is null) as "openAlerts",
            (select count(*)::int from alerts, span
              where organization_id = $1 and opened_at >= span.begins and opened_at < span.ends) as "newAlerts"`,
    [week, timeZone],
  );
  if (!numbers) throw new Error('the summary returned no row');
  return numbers;
}
