import type { TenantDatabase } from '../core/database/tenant-database.js';

// SQL: counts connections and those that are late in one statement.

interface Counts extends Record<string, unknown> {
  /** Connections with a freshness target. */
  watched: number;
  late: number;
}

/** From the stored days: the coverage of all connections is not read. */
export async function countLateConnections(tenants: TenantDatabase, organizationId: string): Promise<Counts> {
  const [counts] = await tenants.query<Counts>(
    organizationId,
    `select count(*)::int as watched,
            count(*) filter (where exists (
              select from freshness_days f
               where f.organization_id = c.organization_id and f.connection_id = c.id and f.state = 'late'))::int as late
       from connections c
      where c.organization_id = $1 and c.deleted_at is null and c.payment_id is null and c.freshness_target is not null`,
  );
  return counts ?? { watched: 0, late: 0 };
}
