import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: sums over runs and alerts of a week.

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

export async function readNumbersOfWeek(query: TenantQuery, week: { from: Date; to: Date }): Promise<NumbersOfWeek> {
  const [numbers] = await query<NumbersOfWeek>(
    `with past as (select r.* from runs r where r.organization_id = $1 and r.ended_at >= $2::timestamptz and r.ended_at < $3::timestamptz)
     select (select count(*)::int from connections where organization_id = $1 and deleted_at is null) as connections,
            (select count(*)::int from connections where organization_id = $1 and deleted_at is null and desired = 'paused') as paused,
            (select count(*)::int from past where state = 'succeeded') as succeeded,
            (select count(*)::int from past where state = 'failed') as failed,
            (select coalesce(sum(rows_written), 0)::float8 from past) as rows,
            (select count(*)::int from alerts where organization_id = $1 and recovered_at is null) as "openAlerts",
            (select count(*)::int from alerts
              where organization_id = $1 and opened_at >= $2::timestamptz and opened_at < $3::timestamptz) as "newAlerts"`,
    [week.from, week.to],
  );
  if (!numbers) throw new Error('the summary returned no row');
  return numbers;
}
