import type { ProviderName } from '../connectors/kit/contract.js';
import type { SourceSelection } from '../connectors/kit/source-selection.js';
import type { TenantDatabase } from '../core/database/tenant-database.js';

// SQL: sums over coverage and slices.

/** A stream that a connection writes to a destination. */
export interface WrittenStream extends Record<string, unknown> {
  provider: ProviderName;
  sourceSettings: Partial<SourceSelection>;
  stream: string;
  rows: bigint | null;
  bytes: bigint | null;
  lastLoadedAt: Date | null;
}

/** Sums the bytes of the runs of 30 days, because summing the slices of all time is too slow for a page. */
const SELECT = `
  select a.provider, s.settings as "sourceSettings", chosen.stream,
         loaded.rows, loaded.at as "lastLoadedAt", sent.bytes
    from connections c
    join sources s on s.organization_id = c.organization_id and s.id = c.source_id
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id
   cross join unnest(c.streams) as chosen(stream)
   cross join lateral (
     select sum(v.rows)::bigint as rows, max(v.last_verified_at) as at from coverage v
      where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = chosen.stream
        and v.last_verified_at is not null) loaded
   cross join lateral (
     select sum(p.bytes)::bigint as bytes from runs r
       join run_slices p on p.organization_id = r.organization_id and p.run_id = r.id and p.stream = chosen.stream and p.state = 'done'
      where r.organization_id = c.organization_id and r.connection_id = c.id and r.queued_at > now() - interval '30 days') sent
   where c.organization_id = $1 and c.destination_id = $2 and c.deleted_at is null`;

export const listWrittenStreams = (
  tenants: TenantDatabase,
  organizationId: string,
  destinationId: string,
): Promise<WrittenStream[]> => tenants.query<WrittenStream>(organizationId, SELECT, [destinationId]);
