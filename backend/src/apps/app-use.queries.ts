import { Injectable } from '@nestjs/common';
import { countCatchUp, listAccountsOfApp, listConnectionsOfApp, listUsersOfApp } from '../read-models/index.js';
import { IdCursor } from '../core/database/cursor.js';
import type { PageQuery } from '../core/http/page.dto.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { AppEventPage, AppImpact, AppUser, CatchUpCount } from './app-use.dto.js';
import { AppsQueries } from './apps.queries.js';

const CURSOR = new IdCursor('app_events');

/** Where an app is used, and its history. */
@Injectable()
export class AppUseQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly apps: AppsQueries,
  ) {}

  async getImpact(organizationId: string, appId: string): Promise<AppImpact> {
    await this.apps.getApp(organizationId, appId);
    const of = (table: 'sources' | 'destinations'): Promise<AppUser[]> =>
      listUsersOfApp(this.tenants, organizationId, appId, table);
    const connections = listConnectionsOfApp(this.tenants, organizationId, appId);
    return { sources: await of('sources'), destinations: await of('destinations'), connections: await connections };
  }

  /** The provider's ids of the accounts that sources of the app read. */
  listAccountsInUse(organizationId: string, appId: string): Promise<string[]> {
    return listAccountsOfApp(this.tenants, organizationId, appId);
  }

  /** Newest first. */
  async listHistory(organizationId: string, appId: string, query: PageQuery): Promise<AppEventPage> {
    await this.apps.getApp(organizationId, appId);
    const after = CURSOR.after(query.cursor);
    const rows = await this.tenants.of(organizationId).appEvent.findMany({
      where: { appId, ...(after && { id: { lt: after } }) },
      orderBy: { id: 'desc' },
      take: query.limit + 1,
      select: { id: true, at: true, event: true, actor: true, detail: true },
    });
    const { items, nextCursor } = CURSOR.toPage(rows, query.limit, ({ id }) => [id]);
    return { items: items.map(({ at, event, actor, detail }) => ({ at: at.toISOString(), event, actor, detail })), nextCursor };
  }

  /** Counts the connections that resume when the app is reconnected, and the days they are behind. */
  async countCatchUp(organizationId: string, appId: string): Promise<CatchUpCount> {
    const [row] = await countCatchUp(this.tenants, organizationId, appId);
    return row ?? { connections: 0, days: 0 };
  }
}
