import { Injectable } from '@nestjs/common';
import { Connectors } from '../catalog/index.js';
import { IdCursor } from '../core/database/cursor.js';
import type { PageQuery } from '../core/http/page.dto.js';
import { notFound } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { edgeOfData } from '../read-models/index.js';
import type { DestinationEntry, DestinationPage } from './destinations.dto.js';

// SQL: a page of one statement with counts and the days with data.

type DestinationRow = Omit<DestinationEntry, 'createdAt' | 'target'> & { createdAt: Date };

const SELECT = `
  select d.id, d.name, d.app_id as "appId", a.display_name as "appName", a.provider, a.auth_mode as "authMode", d.settings,
         case when a.state in ('needs_reauth', 'revoked') then 'needs_reauth' else d.state::text end as state,
         d.last_check as "lastCheck", case when a.state in ('needs_reauth', 'revoked') then a.failure else d.failure end as failure,
         (select count(*)::int from connections c
           where c.organization_id = d.organization_id and c.destination_id = d.id and c.deleted_at is null)
         + (select count(*)::int from conversions c
             where c.organization_id = d.organization_id and c.source_destination_id = d.id and c.deleted_at is null) as "usedBy",
         data.earliest as "earliestDataAt", data.latest as "latestDataAt", d.created_at as "createdAt", d.version
    from destinations d
    join apps a on a.organization_id = d.organization_id and a.id = d.app_id
    left join lateral (
      select min(first.day) as earliest, max(last.day) as latest
        from connections c ${edgeOfData('asc')} first ${edgeOfData('desc')} last
       where c.organization_id = d.organization_id and c.destination_id = d.id) data on true
   where d.organization_id = $1 and d.deleted_at is null`;

const CURSOR = new IdCursor('destinations');

@Injectable()
export class DestinationsQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
  ) {}

  async listDestinations(organizationId: string, query: PageQuery): Promise<DestinationPage> {
    const after = CURSOR.after(query.cursor);
    const rows = await this.tenants.query<DestinationRow>(
      organizationId,
      `${SELECT} and ($2::uuid is null or d.id > $2) order by d.id limit $3`,
      [after, query.limit + 1],
    );
    return CURSOR.toPage(
      rows.map((row) => this.toEntry(row)),
      query.limit,
      (destination) => [destination.id],
    );
  }

  async getDestination(organizationId: string, destinationId: string): Promise<DestinationEntry> {
    const rows = await this.tenants.query<DestinationRow>(organizationId, `${SELECT} and d.id = $2`, [destinationId]);
    if (!rows[0]) throw notFound('The destination');
    return this.toEntry(rows[0]);
  }

  /** Enough to open it, without the loaded data: every run calls it. */
  async getDestinationToOpen(
    organizationId: string,
    destinationId: string,
  ): Promise<Pick<DestinationEntry, 'provider' | 'settings' | 'appId'>> {
    const [row] = await this.tenants.query<Pick<DestinationRow, 'provider' | 'settings' | 'appId'>>(
      organizationId,
      `select a.provider, d.settings, d.app_id as "appId"
         from destinations d
         join apps a on a.organization_id = d.organization_id and a.id = d.app_id
        where d.organization_id = $1 and d.deleted_at is null and d.id = $2`,
      [destinationId],
    );
    if (!row) throw notFound('The destination');
    return row;
  }

  private toEntry(row: DestinationRow): DestinationEntry {
    const target = this.connectors.findDestination(row.provider)?.describe(row.settings, null).target ?? '';
    return { ...row, target, createdAt: row.createdAt.toISOString() };
  }
}
