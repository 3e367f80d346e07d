import { Injectable } from '@nestjs/common';
import { COMPLETE_THROUGH } from '../coverage/index.js';
import { IdCursor } from '../core/database/cursor.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import type { PageQuery } from '../core/http/page.dto.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { AppConnection, AppEventEntry, AppEventPage, AppImpact, AppUser, CatchUpCount } from './app-use.dto.js';
import { AppsQueries } from './apps.queries.js';

const CONNECTIONS = `
    from connections c
    join sources s on s.organization_id = c.organization_id and s.id = c.source_id
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id
    join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
    cross join lateral (${COMPLETE_THROUGH}) covered
   where c.organization_id = $1 and c.deleted_at is null and $2 in (s.app_id, d.app_id)`;

const HISTORY = `
  select id, at, event, actor, detail from app_events
   where organization_id = $1 and app_id = $2 and ($3::uuid is null or id < $3)
   order by id desc limit $4`;

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
      this.tenants.query<AppUser>(
        organizationId,
        `select id, name from ${table} where organization_id = $1 and app_id = $2 and deleted_at is null
          order by name, id limit ${LIST_LIMITS.usersOfApp}`,
        [appId],
      );
    const connections = this.tenants.query<AppConnection>(
      organizationId,
      `select c.id, c.name, c.desired, covered.through as "completeThrough" ${CONNECTIONS} order by c.name, c.id limit ${LIST_LIMITS.usersOfApp}`,
      [appId],
    );
    return { sources: await of('sources'), destinations: await of('destinations'), connections: await connections };
  }

  /** The provider's ids of the accounts that sources of the app read. */
  async listAccountsInUse(organizationId: string, appId: string): Promise<string[]> {
    const rows = await this.tenants.query<{ accountId: string }>(
      organizationId,
      `select distinct unnest(account_ids) as "accountId" from sources
        where organization_id = $1 and app_id = $2 and deleted_at is null`,
      [appId],
    );
    return rows.map(({ accountId }) => accountId);
  }

  /** Newest first. */
  async listHistory(organizationId: string, appId: string, query: PageQuery): Promise<AppEventPage> {
    await this.apps.getApp(organizationId, appId);
    const rows = await this.tenants.query<Omit<AppEventEntry, 'at'> & { id: string; at: Date }>(organizationId, HISTORY, [
      appId,
      CURSOR.after(query.cursor),
      query.limit + 1,
    ]);
    const { items, nextCursor } = CURSOR.toPage(rows, query.limit, ({ id }) => [id]);
    return { items: items.map(({ at, event, actor, detail }) => ({ at: at.toISOString(), event, actor, detail })), nextCursor };
  }

  /** Counts the connections that resume when the app is reconnected, and the days they are behind. */
  async countCatchUp(organizationId: string, appId: string): Promise<CatchUpCount> {
    const [row] = await this.tenants.query<CatchUpCount>(
      organizationId,
      `select count(*)::int as connections,
              coalesce(max((now() at time zone 'UTC')::date - coalesce(covered.through, c.history_from - 1)), 0)::int as days
         ${CONNECTIONS} and c.desired = 'active'`,
      [appId],
    );
    return row ?? { connections: 0, days: 0 };
  }
}
