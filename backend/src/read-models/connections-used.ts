import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: counts under the caller's lock on the organization's row, by its handle for SQL.

/** Connections that count for the plan. */
export async function countConnections(query: TenantQuery): Promise<number> {
  const [row] = await query<{ used: number }>(
    'select count(*)::int as used from connections where organization_id = $1 and payment_id is null and deleted_at is null',
  );
  return row?.used ?? 0;
}
