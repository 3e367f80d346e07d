import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: alerts of any of several subjects, in transactions without Prisma (`TenantDatabase.together`).

/** The alert of an app or destination covers everything that fails because of it. */
const COVERS = `a.recovered_at is null and a.kind in ('app.needs_reauth', 'destination.unreachable')`;

export async function isConnectionCovered(query: TenantQuery, connectionId: string): Promise<boolean> {
  const covering = await query(
    `select from connections c
       join sources s on s.organization_id = c.organization_id and s.id = c.source_id
       join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
       join alerts a on a.organization_id = c.organization_id and a.subject_id in (s.app_id, d.app_id, d.id) and ${COVERS}
      where c.organization_id = $1 and c.id = $2 limit 1`,
    [connectionId],
  );
  return covering.length > 0;
}

export async function isConversionCovered(query: TenantQuery, conversionId: string): Promise<boolean> {
  const covering = await query(
    `select from conversions c
       left join destinations d on d.organization_id = c.organization_id and d.id = c.source_destination_id
       join alerts a on a.organization_id = c.organization_id
                    and a.subject_id in (c.target_app_id, c.source_app_id, d.app_id, d.id) and ${COVERS}
      where c.organization_id = $1 and c.id = $2 limit 1`,
    [conversionId],
  );
  return covering.length > 0;
}
