import { Injectable } from '@nestjs/common';
import { Connectors } from '../catalog/index.js';
import { offeredStreams, readSelection } from '../connectors/kit/source-selection.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { listWrittenStreams, type WrittenStream } from '../read-models/index.js';
import type { DestinationTable, DestinationTables } from './destinations.dto.js';
import { DestinationsQueries } from './destinations.queries.js';

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
    const rows = await listWrittenStreams(this.tenants, organizationId, destinationId);
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
