import { Injectable } from '@nestjs/common';
import { Connectors } from '../catalog/index.js';
import type { SourceProvider } from '../connectors/kit/contract.js';
import { offeredStreams, readSelection, type SourceSelection } from '../connectors/kit/source-selection.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { DestinationTable, DestinationTables } from './destinations.dto.js';
import { DestinationsQueries } from './destinations.queries.js';

interface WrittenStream {
  provider: SourceProvider;
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

@Injectable()
export class DestinationTablesQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
    private readonly destinations: DestinationsQueries,
  ) {}

  /** Lists a table once even if several connections write it. */
  async listTables(organizationId: string, destinationId: string): Promise<DestinationTables> {
    const { provider, settings } = await this.destinations.getDestination(organizationId, destinationId);
    const connector = this.connectors.findDestination(provider);
    const rows = await this.tenants.query<WrittenStream>(organizationId, SELECT, [destinationId]);
    const tables = new Map<string, DestinationTable>();
    for (const row of rows) {
      const stream = this.streamOf(row);
      const table = stream && connector ? connector.tableName(settings, stream) : row.stream;
      tables.set(table, added(tables.get(table), { ...row, table }));
    }
    return {
      items: [...tables.values()]
        .sort((left, right) => left.table.localeCompare(right.table))
        .slice(0, LIST_LIMITS.destinationTables),
    };
  }

  private streamOf({ provider, sourceSettings, stream }: WrittenStream) {
    const streams = this.connectors.findSource(provider)?.streams ?? [];
    return offeredStreams(streams, readSelection(streams, sourceSettings)).find(({ name }) => name === stream);
  }
}

const added = (before: DestinationTable | undefined, row: WrittenStream & { table: string }): DestinationTable => ({
  table: row.table,
  stream: row.stream,
  rows: sum(before?.rows, row.rows),
  bytes: sum(before?.bytes, row.bytes),
  lastLoadedAt:
    [before?.lastLoadedAt, row.lastLoadedAt?.toISOString()]
      .filter((at) => at != null)
      .sort()
      .at(-1) ?? null,
});

const sum = (left: number | null | undefined, right: bigint | null): number | null =>
  left == null && right === null ? null : (left ?? 0) + Number(right ?? 0);
