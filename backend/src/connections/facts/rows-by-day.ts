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
    `select v.connection_id as "connectionId", v.day, sum(v.rows)::float8 as rows
       from connections c
       join sources s on s.organization_id = c.organization_id and s.id = c.source_id
       join coverage v on v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = any(c.streams)
                      and v.account_id = any(s.account_ids)
      where c.organization_id = $1 and c.id = any($2::uuid[]) and v.day >= $3::date
      group by v.connection_id, v.day having bool_and(v.state not in ('missing', 'loading', 'failed'))`,
    [connectionIds, addDays(new Date().toISOString().slice(0, 10), 1 - SPARKLINE_DAYS)],
  );
  const result = new Map<string, RowsByDay>();
  for (const row of rows) result.set(row.connectionId, { ...result.get(row.connectionId), [row.day]: row.rows });
  return result;
}
