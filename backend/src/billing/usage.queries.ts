import { Inject, Injectable } from '@nestjs/common';
import { isBilled } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { RowsOfDay, Usage } from './billing.dto.js';

const DAYS_SHOWN = 30;

interface Counts {
  connections: number;
  members: number;
  apps: number;
  sources: number;
  destinations: number;
  rowsThisMonth: number;
  runsThisMonth: number;
  [column: string]: unknown;
}

const notDeleted = (table: string): string =>
  `(select count(*)::int from ${table} t where t.organization_id = o.id and t.deleted_at is null) as ${table}`;

/** Usage of an organization, counted on request. */
@Injectable()
export class UsageQueries {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
  ) {}

  async getUsage(organizationId: string): Promise<Usage> {
    const [[counts], rowsByDay] = await Promise.all([this.count(organizationId), this.listRows(organizationId)]);
    if (!counts) throw new Error('the organization does not exist');
    const { connections, members, apps, sources, destinations, rowsThisMonth, runsThisMonth } = counts;
    const limit = isBilled(this.env) ? (this.env.PLAN_CONNECTIONS ?? null) : null;
    return {
      connections: { used: connections, limit },
      members,
      apps,
      sources,
      destinations,
      rowsThisMonth,
      rowsByDay,
      runsThisMonth,
    };
  }

  private count(organizationId: string): Promise<Counts[]> {
    return this.tenants.query<Counts>(
      organizationId,
      `select ${['connections', 'apps', 'sources', 'destinations'].map(notDeleted).join(', ')},
              (select count(*)::int from members m where m.organization_id = o.id) as members,
              month.rows as "rowsThisMonth", month.runs as "runsThisMonth"
         from organizations o
        cross join lateral (
          select coalesce(sum(r.rows_written), 0)::float8 as rows, count(*)::int as runs from runs r
           where r.organization_id = o.id
             and r.ended_at >= date_trunc('month', now() at time zone o.time_zone) at time zone o.time_zone) month
        where o.id = $1`,
    );
  }

  private listRows(organizationId: string): Promise<RowsOfDay[]> {
    return this.tenants.query<RowsOfDay & { [column: string]: unknown }>(
      organizationId,
      `with zone as (select o.time_zone as name, (now() at time zone o.time_zone)::date as today from organizations o where o.id = $1),
            loaded as (
              select (r.ended_at at time zone zone.name)::date as day, sum(r.rows_written)::float8 as rows
                from zone join runs r on r.organization_id = $1
                 and r.ended_at >= (zone.today - ${DAYS_SHOWN - 1})::timestamp at time zone zone.name
               group by 1)
       select (zone.today - ago)::text as date, coalesce(loaded.rows, 0) as rows
         from zone cross join generate_series(${DAYS_SHOWN - 1}, 0, -1) ago
         left join loaded on loaded.day = zone.today - ago
        order by 1`,
    );
  }
}
