import { Injectable } from '@nestjs/common';
import type { CheckItem } from '../connectors/kit/contract.js';
import { type ExcludedColumns, writesSameColumns } from '../connectors/kit/rows/excluded-columns.js';
import { Problem } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { listOtherWriters, type OtherWriter } from '../read-models/index.js';
import type { OpenSource } from '../sources/index.js';

export interface Writer {
  /** Null before it is created. */
  connectionId: string | null;
  source: OpenSource;
  destinationId: string;
  streams: string[];
  leftOut: ExcludedColumns;
  hashed: ExcludedColumns;
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
    const others = (await this.listOthers(organizationId, writer)).filter(({ isSameDestination }) => isSameDestination);
    for (const other of others) {
      const differing = connector.streams.filter(
        (stream) =>
          writer.streams.includes(stream.name) &&
          other.streams.includes(stream.name) &&
          !writesSameColumns(stream, writer, other),
      );
      if (differing.length > 0)
        throw fieldsDiffer(
          other.name,
          differing.map(({ name }) => name),
        );
    }
  }

  /** Warns if other connections already write the same accounts into the same tables: every row is then read and written twice. */
  async check(organizationId: string, writer: Writer): Promise<CheckItem> {
    const item = {
      code: 'tables_unshared',
      label: 'No other connection of this organization writes these tables',
      durationMs: 0,
    };
    const [other] = await this.listOthers(organizationId, writer);
    if (!other) return { ...item, state: 'passed', detail: null, action: null };
    const shared = writer.streams.filter((name) => other.streams.includes(name));
    return {
      ...item,
      label: 'Another connection writes these tables',
      state: 'passed',
      isWarning: true,
      detail: `"${other.name}" already writes the same accounts into the same ${shared.length === 1 ? 'table' : 'tables'} (${shared.join(', ')}).`,
      action: 'Continue only if both are needed: every row is read and written twice',
    };
  }

  private listOthers(organizationId: string, { connectionId, source, destinationId, streams }: Writer): Promise<OtherWriter[]> {
    return listOtherWriters(this.tenants, organizationId, {
      ...{ connectionId, destinationId, streams, provider: source.connector.provider },
      accountIds: source.accounts.map(({ externalId }) => externalId),
    });
  }
}

const fieldsDiffer = (name: string, streams: string[]): Problem =>
  new Problem('connection.fields_differ', {
    detail: `"${name}" writes the same accounts into the same table with other fields (${streams.join(', ')}). The connections would empty each other's cells.`,
    action: `Choose the same fields as in "${name}", or a destination with another table prefix`,
  });
