import type { TenantDatabase } from '../core/database/tenant-database.js';

// SQL: reports by month and day in the organization's time zone.

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

/** Connections and sources of payments are not on any list. */
const SHOWN: Partial<Record<string, string>> = {
  connections: 'and t.payment_id is null',
  sources: 'and not exists (select from payments p where p.organization_id = t.organization_id and p.source_id = t.id)',
};

const notDeleted = (table: string): string =>
  `(select count(*)::int from ${table} t where t.organization_id = o.id and t.deleted_at is null ${SHOWN[table] ?? ''}) as ${table}`;

interface RowsOfDay extends Record<string, unknown> {
  date: string;
  rows: number;
}

export function countUsage(tenants: TenantDatabase, organizationId: string): Promise<Counts[]> {
  return tenants.query<Counts>(
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

/** The last 30 days, the oldest first. */
export function listRowsByDay(tenants: TenantDatabase, organizationId: string): Promise<RowsOfDay[]> {
  return tenants.query<RowsOfDay>(
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
