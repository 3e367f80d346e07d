import { Injectable } from '@nestjs/common';
import { Connectors } from '../catalog/index.js';
import { CHOSEN_ACCOUNTS, edgeOfData } from '../read-models/index.js';
import { IdCursor } from '../core/database/cursor.js';
import type { PageQuery } from '../core/http/page.dto.js';
import { notFound } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { offeredStreams, readSelection, type SourceSelection } from '../connectors/kit/source-selection.js';
import { paymentProviders } from '../connectors/registry.js';
import type { SourceEntry, SourcePage } from './sources.dto.js';

// SQL: a page of one statement with counts and the newest day with data.

type SourceRow = Omit<SourceEntry, 'createdAt' | 'settings' | 'streams' | 'earliestAvailable'> & {
  createdAt: Date;
  settings: Partial<SourceSelection>;
};

interface StreamReader extends Record<string, unknown> {
  connection: string;
  streams: string[];
}

/** A source without the data that connections have loaded: enough to open it. */
const FIELDS = `
  select s.id, s.name, s.app_id as "appId", a.display_name as "appName", a.provider, s.version, s.created_at as "createdAt",
         chosen.accounts, s.settings,
         case when a.state in ('needs_reauth', 'revoked') then 'needs_reauth'
              when s.state = 'ready' and chosen.accounts @? '$[*] ? (@.status != "enabled")' then 'needs_attention'
              else s.state::text end as state,
         (select count(*)::int from connections c
           where c.organization_id = s.organization_id and c.source_id = s.id and c.deleted_at is null) as "usedBy"`;
const FROM = `
    from sources s
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id
    cross join lateral (select ${CHOSEN_ACCOUNTS} as accounts) chosen`;
const WHERE = `
   where s.organization_id = $1 and s.deleted_at is null`;

const SELECT = `${FIELDS}, data.earliest as "earliestDataAt", data.latest as "latestDataAt" ${FROM}
    left join lateral (
      select min(first.day) as earliest, max(last.day) as latest
        from connections c ${edgeOfData('asc')} first ${edgeOfData('desc')} last
       where c.organization_id = s.organization_id and c.source_id = s.id) data on true ${WHERE}`;
const SELECT_TO_OPEN = `${FIELDS}, null as "earliestDataAt", null as "latestDataAt" ${FROM} ${WHERE}`;

const CURSOR = new IdCursor('sources');

@Injectable()
export class SourcesQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
  ) {}

  async listSources(organizationId: string, query: PageQuery): Promise<SourcePage> {
    const after = CURSOR.after(query.cursor);
    const rows = await this.tenants.query<SourceRow>(
      organizationId,
      `${SELECT} and a.provider <> all($4::text[]) and ($2::uuid is null or s.id > $2) order by s.id limit $3`,
      [after, query.limit + 1, paymentProviders.all],
    );
    return CURSOR.toPage(
      rows.map((row) => this.toEntry(row)),
      query.limit,
      (source) => [source.id],
    );
  }

  /** Not the source of a payment, which is changed together with the payment only. */
  async getSource(organizationId: string, sourceId: string): Promise<SourceEntry> {
    return this.readOne(organizationId, sourceId, `${SELECT} and a.provider <> all($3::text[])`, [paymentProviders.all]);
  }

  /** Like `getSource`, without the loaded data: every run calls it. */
  getSourceToOpen(organizationId: string, sourceId: string): Promise<Omit<SourceEntry, 'earliestDataAt' | 'latestDataAt'>> {
    return this.readOne(organizationId, sourceId, SELECT_TO_OPEN);
  }

  private async readOne(organizationId: string, sourceId: string, select: string, values: unknown[] = []): Promise<SourceEntry> {
    const rows = await this.tenants.query<SourceRow>(organizationId, `${select} and s.id = $2`, [sourceId, ...values]);
    if (!rows[0]) throw notFound('The source');
    return this.toEntry(rows[0]);
  }

  /** Connections that read other streams than these, with those streams. */
  listReadersBeyond(organizationId: string, sourceId: string, streams: string[]): Promise<StreamReader[]> {
    return this.tenants.query<StreamReader>(
      organizationId,
      `select c.name as connection, missed.streams
         from connections c
        cross join lateral (
          select array_agg(stream order by stream) as streams from unnest(c.streams) stream where stream <> all ($3::text[])) missed
        where c.organization_id = $1 and c.source_id = $2 and c.deleted_at is null and missed.streams is not null
        order by c.name, c.id`,
      [sourceId, streams],
    );
  }

  private toEntry(row: SourceRow): SourceEntry {
    const connector = this.connectors.findSource(row.provider);
    const streams = connector?.streams ?? [];
    const settings = readSelection(streams, row.settings);
    return {
      ...row,
      settings,
      streams: offeredStreams(streams, settings).map(({ name }) => name),
      earliestAvailable: this.connectors.firstAvailableDay(row.provider),
      createdAt: row.createdAt.toISOString(),
    };
  }
}
