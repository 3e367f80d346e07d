import type { TenantDatabase } from '../core/database/tenant-database.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import { JOIN_COMPLETE_THROUGH } from './complete-through.js';

// SQL: lists of connections with how far they are complete, in one statement.

const CONNECTIONS = `
    from connections c
    join sources s on s.organization_id = c.organization_id and s.id = c.source_id
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id
    join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
    ${JOIN_COMPLETE_THROUGH}
   where c.organization_id = $1 and c.deleted_at is null and $2 in (s.app_id, d.app_id)`;

interface Named extends Record<string, unknown> {
  id: string;
  name: string;
}

interface ConnectionOfApp extends Named {
  desired: 'active' | 'paused';
  completeThrough: string | null;
}

export const listUsersOfApp = (
  tenants: TenantDatabase,
  organizationId: string,
  appId: string,
  table: 'sources' | 'destinations',
): Promise<Named[]> =>
  tenants.query<Named>(
    organizationId,
    `select id, name from ${table} where organization_id = $1 and app_id = $2 and deleted_at is null
      order by name, id limit ${LIST_LIMITS.usersOfApp}`,
    [appId],
  );

export const listConnectionsOfApp = (
  tenants: TenantDatabase,
  organizationId: string,
  appId: string,
): Promise<ConnectionOfApp[]> =>
  tenants.query<ConnectionOfApp>(
    organizationId,
    `select c.id, c.name, c.desired, covered.through as "completeThrough" ${CONNECTIONS} order by c.name, c.id limit ${LIST_LIMITS.usersOfApp}`,
    [appId],
  );

/** The provider's ids of the accounts that sources of the app read. */
export async function listAccountsOfApp(tenants: TenantDatabase, organizationId: string, appId: string): Promise<string[]> {
  const rows = await tenants.query<{ accountId: string }>(
    organizationId,
    `select distinct unnest(account_ids) as "accountId" from sources
      where organization_id = $1 and app_id = $2 and deleted_at is null`,
    [appId],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Counts the active connections of the app, and the days they are behind. */
export const countCatchUp = (
  tenants: TenantDatabase,
  organizationId: string,
  appId: string,
): Promise<{ connections: number; days: number }[]> =>
  tenants.query(
    organizationId,
    `select count(*)::int as connections,
            coalesce(max((now() at time zone 'UTC')::date - coalesce(covered.through, c.history_from - 1)), 0)::int as days
       ${CONNECTIONS} and c.desired = 'active'`,
    [appId],
  );

/** Counts the runs that wait until a quota of these apps allows more requests. Apps without such runs are left out. */
export async function countRunsWaitingForQuota(
  tenants: TenantDatabase,
  organizationId: string,
  appIds: string[],
): Promise<Map<string, number>> {
  const rows = await tenants.query<{ appId: string; runs: number }>(
    organizationId,
    `select app.id as "appId", count(*)::int as runs
       from runs r
       join connections c on c.organization_id = r.organization_id and c.id = r.connection_id
       join sources s on s.organization_id = c.organization_id and s.id = c.source_id
       join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
       join unnest($2::uuid[]) as app(id) on app.id in (s.app_id, d.app_id)
      where r.organization_id = $1 and r.state = 'waiting' and r.ended_at is null and r.failure->>'class' = 'quota'
      group by app.id`,
    [appIds],
  );
  return new Map(rows.map(({ appId, runs }) => [appId, runs]));
}
