import type { ExcludedColumns } from '../connectors/kit/rows/excluded-columns.js';
import type { TenantDatabase } from '../core/database/tenant-database.js';

// SQL: compares arrays of accounts and streams, and the settings of two destinations.

export interface OtherWriter extends Record<string, unknown> {
  name: string;
  /** False: another destination with the same settings. */
  isSameDestination: boolean;
  streams: string[];
  leftOut: ExcludedColumns;
  hashed: ExcludedColumns;
}

/** Connections that write one of the accounts and streams into the same destination, or into one with the same settings. */
export function listOtherWriters(
  tenants: TenantDatabase,
  organizationId: string,
  {
    connectionId,
    destinationId,
    provider,
    accountIds,
    streams,
  }: { connectionId: string | null; destinationId: string; provider: string; accountIds: string[]; streams: string[] },
): Promise<OtherWriter[]> {
  return tenants.query<OtherWriter>(
    organizationId,
    `select c.name, c.streams, c.left_out as "leftOut", c.hashed, d.id = own.id as "isSameDestination"
       from connections c
       join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
       join destinations own on own.organization_id = c.organization_id and own.id = $3::uuid
       join sources s on s.organization_id = c.organization_id and s.id = c.source_id
       join apps a on a.organization_id = s.organization_id and a.id = s.app_id
      where c.organization_id = $1 and c.deleted_at is null and c.id is distinct from $2::uuid
        and (d.id = own.id or d.settings = own.settings)
        and a.provider = $4 and s.account_ids && $5::text[] and c.streams && $6::text[]
      order by c.created_at, c.id`,
    [connectionId, destinationId, provider, accountIds, streams],
  );
}
