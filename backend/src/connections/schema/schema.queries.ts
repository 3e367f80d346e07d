import { Injectable } from '@nestjs/common';
import { Connectors } from '../../catalog/index.js';
import { type ExcludedColumns, needOf } from '../../connectors/kit/rows/excluded-columns.js';
import { canHash, type HashedColumns, hashedColumnsOf } from '../../connectors/kit/rows/hashed-columns.js';
import { offeredStreams, readSelection, type SourceSelection } from '../../connectors/kit/source-selection.js';
import type { ProviderName, Stream } from '../../connectors/kit/contract.js';
import { IdCursor } from '../../core/database/cursor.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { notFound } from '../../core/http/problem.js';
import { actionsOf } from './decisions.js';
import type {
  ConnectionSchema,
  SchemaChangeEntry,
  SchemaChangePage,
  SchemaChangesQuery,
  SchemaField,
  SchemaStream,
} from './schema.dto.js';

// SQL: a page of one statement with names of users.

interface Parts extends Record<string, unknown> {
  streams: string[];
  leftOut: ExcludedColumns;
  hashed: HashedColumns;
  version: number;
  provider: ProviderName;
  sourceSettings: Partial<SourceSelection>;
  destinationProvider: ProviderName;
  destinationSettings: Record<string, unknown>;
}

interface ChangeRow extends Omit<SchemaChangeEntry, 'targetTable' | 'actions' | 'detectedAt' | 'decidedAt'> {
  detectedAt: Date;
  decidedAt: Date | null;
}

const CURSOR = new IdCursor('schema-changes');

/** The streams and fields of a connection, and how they changed. */
@Injectable()
export class SchemaQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
  ) {}

  async getSchema(organizationId: string, connectionId: string): Promise<ConnectionSchema> {
    const parts = await this.getParts(organizationId, connectionId);
    const all = this.connectors.findSource(parts.provider)?.streams ?? [];
    const offered = offeredStreams(all, readSelection(all, parts.sourceSettings));
    const { resyncRefusal } = this.connectors.getDestination(parts.destinationProvider);
    return { streams: offered.map((stream) => this.toStream(parts, stream)), resyncRefusal, version: parts.version };
  }

  /** Newest first. */
  async listChanges(organizationId: string, connectionId: string, query: SchemaChangesQuery): Promise<SchemaChangePage> {
    const parts = await this.getParts(organizationId, connectionId);
    const rows = await this.findChanges(organizationId, connectionId, {
      state: query.state ?? null,
      after: CURSOR.after(query.cursor),
      limit: query.limit + 1,
    });
    const page = CURSOR.toPage(rows, query.limit, ({ id }) => [id]);
    return { items: page.items.map((row) => this.toChange(parts, row)), nextCursor: page.nextCursor };
  }

  async getChange(organizationId: string, connectionId: string, changeId: string): Promise<SchemaChangeEntry> {
    const parts = await this.getParts(organizationId, connectionId);
    const [row] = await this.findChanges(organizationId, connectionId, { changeId, limit: 1 });
    if (!row) throw notFound('The schema change');
    return this.toChange(parts, row);
  }

  private findChanges(
    organizationId: string,
    connectionId: string,
    wanted: { changeId?: string; state?: string | null; after?: string | null; limit: number },
  ): Promise<ChangeRow[]> {
    return this.tenants.query<ChangeRow & Record<string, unknown>>(
      organizationId,
      `select c.id, c.stream, c.kind, c.diff as columns, c.is_breaking as "isBreaking", c.state, c.run_id as "runId",
              c.detected_at as "detectedAt", c.decided_at as "decidedAt", u.full_name as "decidedBy"
         from schema_changes c left join users u on u.uid = c.decided_by
        where c.organization_id = $1 and c.connection_id = $2 and ($3::uuid is null or c.id = $3)
          and ($4::text is null or c.state::text = $4) and ($5::uuid is null or c.id < $5)
        order by c.id desc limit $6`,
      [connectionId, wanted.changeId ?? null, wanted.state ?? null, wanted.after ?? null, wanted.limit],
    );
  }

  private async getParts(organizationId: string, connectionId: string): Promise<Parts> {
    const [parts] = await this.tenants.query<Parts>(
      organizationId,
      `select c.streams, c.left_out as "leftOut", c.hashed, c.version, a.provider, s.settings as "sourceSettings",
              da.provider as "destinationProvider", d.settings as "destinationSettings"
         from connections c
         join sources s on s.organization_id = c.organization_id and s.id = c.source_id
         join apps a on a.organization_id = s.organization_id and a.id = s.app_id
         join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
         join apps da on da.organization_id = d.organization_id and da.id = d.app_id
        where c.organization_id = $1 and c.id = $2 and c.deleted_at is null`,
      [connectionId],
    );
    if (!parts) throw notFound('The connection');
    return parts;
  }

  private toStream(parts: Parts, stream: Stream): SchemaStream {
    const { name, title, description, columns } = stream;
    const leftOut = parts.leftOut[name] ?? [];
    const hashed = hashedColumnsOf(stream, parts.hashed);
    return {
      name,
      title,
      description,
      isSelected: parts.streams.includes(name),
      targetTable: this.tableOf(parts, stream),
      fields: columns.map((column): SchemaField => {
        const need = needOf(stream, column.name);
        return {
          ...column,
          need,
          isSelected: need !== null || !leftOut.includes(column.name),
          canHash: canHash(stream, column.name),
          isHashed: hashed.includes(column.name),
        };
      }),
    };
  }

  private toChange(parts: Parts, { detectedAt, decidedAt, ...row }: ChangeRow): SchemaChangeEntry {
    const stream = this.connectors.findSource(parts.provider)?.streams.find(({ name }) => name === row.stream);
    return {
      ...row,
      targetTable: stream ? this.tableOf(parts, stream) : row.stream,
      actions: row.state === 'pending' ? actionsOf(row.kind) : [],
      detectedAt: detectedAt.toISOString(),
      decidedAt: decidedAt?.toISOString() ?? null,
    };
  }

  private tableOf({ destinationProvider, destinationSettings }: Parts, stream: Stream): string {
    return this.connectors.findDestination(destinationProvider)?.tableName(destinationSettings, stream) ?? stream.table;
  }
}
