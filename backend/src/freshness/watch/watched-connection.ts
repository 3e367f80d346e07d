import type { AdAccountEntry, Failure } from '../../core/http/failure.dto.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import { accessSql } from '../../access/index.js';
import type { Env } from '../../core/config/env.js';
import type { FreshnessTarget } from '../../connections/index.js';
import { CHOSEN_ACCOUNTS } from '../../read-models/index.js';

// SQL: one statement over the connection, its ends and its last run, with the access rule.

/** A connection whose freshness is watched. */
export interface WatchedConnection extends Record<string, unknown> {
  id: string;
  name: string;
  target: FreshnessTarget;
  historyFrom: string;
  accounts: AdAccountEntry[];
  /** Paused by a user, imported without its apps, or stopped with the subscription: nobody expects data, so no day becomes late. */
  isStopped: boolean;
  expiredApp: string | null;
  /** Failure of the last run; null: it did not fail. */
  failure: Failure | null;
}

/** Null: it has no target, or it or its organization is deleted. */
export async function findWatched(query: TenantQuery, env: Env, connectionId: string): Promise<WatchedConnection | null> {
  const [connection] = await query<WatchedConnection>(
    `select c.id, c.name, c.freshness_target as target, c.history_from::text as "historyFrom", ${CHOSEN_ACCOUNTS} as accounts,
            ${accessSql(env, 'paid')} = 'closed' or (c.desired = 'paused' and coalesce(c.paused_reason, 'user') in ('user', 'import')) as "isStopped",
            case when a.state in ('needs_reauth', 'revoked') then a.display_name
                 when da.state in ('needs_reauth', 'revoked') then da.display_name end as "expiredApp",
            case when ended.state in ('failed', 'partial', 'unverified') then ended.failure end as failure
       from connections c
       join organizations o on o.id = c.organization_id and o.deleted_at is null
       join sources s on s.organization_id = c.organization_id and s.id = c.source_id
       join apps a on a.organization_id = s.organization_id and a.id = s.app_id
       join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
       join apps da on da.organization_id = d.organization_id and da.id = d.app_id
       left join subscriptions paid on paid.organization_id = c.organization_id
       left join lateral (
         select r.state, r.failure from runs r
          where r.organization_id = c.organization_id and r.connection_id = c.id and r.ended_at is not null
            and r.track = 'regular' and r.state not in ('cancelled', 'skipped')
          order by r.queued_at desc limit 1) ended on true
      where c.organization_id = $1 and c.id = $2::uuid and c.deleted_at is null and c.payment_id is null
        and c.freshness_target is not null`,
    [connectionId],
  );
  return connection ?? null;
}
