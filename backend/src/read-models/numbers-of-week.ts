import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: sums over runs and alerts of a week.

/** What the weekly summary reports. */
export interface NumbersOfWeek extends Record<string, unknown> {
  /** Without those of payments. */
  connections: number;
  paused: number;
  payments: number;
  /** Runs of connections and payments. */
  succeeded: number;
  partial: number;
  unverified: number;
  failed: number;
  rows: number;
  openAlerts: number;
  newAlerts: number;
}

export async function readNumbersOfWeek(query: TenantQuery, week: { from: Date; to: Date }): Promise<NumbersOfWeek> {
  const [numbers] = await query<NumbersOfWeek>(
    `with past as (select r.* from runs r where r.organization_id = $1 and r.ended_at >= $2::timestamptz and r.ended_at < $3::timestamptz)
     select own.connections, own.paused,
            (select count(*)::int from payments where organization_id = $1 and deleted_at is null) as payments,
            (select count(*)::int from past where state = 'succeeded') as succeeded,
            (select count(*)::int from past where state = 'partial') as partial,
            (select count(*)::int from past where state = 'unverified') as unverified,
            (select count(*)::int from past where state = 'failed') as failed,
            (select coalesce(sum(rows_written), 0)::float8 from past) as rows,
            (select count(*)::int from alerts where organization_id = $1 and recovered_at is null) as "openAlerts",
            (select count(*)::int from alerts
              where organization_id = $1 and opened_at >= $2::timestamptz and opened_at < $3::timestamptz) as "newAlerts"
       from (select count(*)::int as connections, count(*) filter (where desired = 'paused')::int as paused
               from connections where organization_id = $1 and deleted_at is null and payment_id is null) own`,
    [week.from, week.to],
  );
  if (!numbers) throw new Error('the summary returned no row');
  return numbers;
}
