import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: part of the caller's transaction, which may be without Prisma (`TenantDatabase.together`).

interface Ends extends Record<string, unknown> {
  createdBy: string;
  /** Provider of the source. */
  source: string;
  /** Provider of the destination. */
  destination: string;
}

export async function findEnds(query: TenantQuery, connectionId: string): Promise<Ends | undefined> {
  const [ends] = await query<Ends>(
    `select c.created_by as "createdBy", sa.provider as source, da.provider as destination
       from connections c
       join sources s on s.organization_id = c.organization_id and s.id = c.source_id
       join apps sa on sa.organization_id = s.organization_id and sa.id = s.app_id
       join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
       join apps da on da.organization_id = d.organization_id and da.id = d.app_id
      where c.organization_id = $1 and c.id = $2::uuid`,
    [connectionId],
  );
  return ends;
}
