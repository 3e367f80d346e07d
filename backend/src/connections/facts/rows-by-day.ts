import { addDays } from '../../connectors/kit/days.js';
import type { TenantDatabase } from '../../core/database/tenant-database.js';

// SQL: sums coverage.

export const SPARKLINE_DAYS = 30;

/** Rows by day. A day that is not loaded is missing. */
export type RowsByDay = Record<string, number>;

/** The last 30 days of connections. */
export async function readRowsByDay(
  tenants: TenantDatabase,
  organizationId: string,
  connectionIds: string[],
): Promise<Map<string, RowsByDay>> {
  const rows = await tenants.query<{ connectionId: string; day: string; rows: number }>(
    organizationId,
    `select connection_id as "connectionId", day, sum(rows)::float8 as rows
       from coverage
      where organization_id = $1 and connection_id = any($2::uuid[]) and day >= $3::date
      group by connection_id, day having bool_and(state not in ('missing', 'loading', 'failed'))`,
    [connectionIds, addDays(new Date().toISOString().slice(0, 10), 1 - SPARKLINE_DAYS)],
  );
  const result = new Map<string, RowsByDay>();
  for (const row of rows) result.set(row.connectionId, { ...result.get(row.connectionId), [row.day]: row.rows });
  return result;
}
