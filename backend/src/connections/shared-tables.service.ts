import { Injectable } from '@nestjs/common';
import { type ExcludedColumns, writesSameColumns } from '../connectors/kit/rows/excluded-columns.js';
import { Problem } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { OpenSource } from '../sources/index.js';

export interface Writer {
  /** Null before it is created. */
  connectionId: string | null;
  source: OpenSource;
  destinationId: string;
  streams: string[];
  leftOut: ExcludedColumns;
}

interface OtherWriter extends Record<string, unknown> {
  name: string;
  streams: string[];
  leftOut: ExcludedColumns;
}

/**
 * Two connections may write the same account into the same table only with the same fields: a load replaces whole rows, so they
 * would empty each other's cells. The run rejects the cases that are not detected here: another destination with the same
 * settings, and accounts that are added to a source later.
 */
@Injectable()
export class SharedTables {
  constructor(private readonly tenants: TenantDatabase) {}

  async assertSameFields(organizationId: string, writer: Writer): Promise<void> {
    const { connector } = writer.source;
    const others = await this.listOthers(organizationId, writer);
    for (const other of others) {
      const differing = connector.streams.filter(
        (stream) =>
          writer.streams.includes(stream.name) &&
          other.streams.includes(stream.name) &&
          !writesSameColumns(stream, writer.leftOut, other.leftOut),
      );
      if (differing.length > 0)
        throw fieldsDiffer(
          other.name,
          differing.map(({ name }) => name),
        );
    }
  }

  private listOthers(organizationId: string, { connectionId, source, destinationId, streams }: Writer): Promise<OtherWriter[]> {
    return this.tenants.query<OtherWriter>(
      organizationId,
      `select c.name, c.streams, c.left_out as "leftOut"
         from connections c
         join sources s on s.organization_id = c.organization_id and s.id = c.source_id
         join apps a on a.organization_id = s.organization_id and a.id = s.app_id
        where c.organization_id = $1 and c.deleted_at is null and c.id is distinct from $2::uuid and c.destination_id = $3
          and a.provider = $4 and s.account_ids && $5::text[] and c.streams && $6::text[]
        order by c.created_at, c.id`,
      [connectionId, destinationId, source.connector.provider, source.accounts.map(({ externalId }) => externalId), streams],
    );
  }
}

const fieldsDiffer = (name: string, streams: string[]): Problem =>
  new Problem('connection.fields_differ', {
    detail: `"${name}" writes the same accounts into the same table with other fields (${streams.join(', ')}). The connections would empty each other's cells.`,
    action: `Choose the same fields as in "${name}", or a destination with another table prefix`,
  });
