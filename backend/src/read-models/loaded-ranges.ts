import type { TenantDatabase } from '../core/database/tenant-database.js';

// SQL: aggregates, because a connection can have a million rows of coverage.

/** Limit of one account of a stream, as validated by an import of the configuration. */
const MOST_RANGES = 1_000;

interface RangesOfAccounts extends Record<string, unknown> {
  connectionId: string;
  stream: string;
  accountIds: string[];
  /** first/last */
  days: string[];
  count: number;
}

/** Where a stream is loaded, with the identities of the columns by name. */
export interface PlaceOfStream extends Record<string, unknown> {
  connectionId: string;
  stream: string;
  place: string;
  columns: Record<string, string>;
}

/**
 * Consecutive settled days as ranges, of accounts with the same ranges together: a connection with 500 equal accounts is one entry
 * for each stream. A destination that cannot replace rows is excluded: what was sent to it is known only where it was sent. A
 * custom app is excluded, because its events stay where they were received.
 */
const LOADED = `
  with islands as (
    select v.connection_id, v.stream, v.account_id, v.day,
           v.day - (row_number() over (partition by v.connection_id, v.stream, v.account_id order by v.day))::int as island
      from coverage v
      join connections c on c.organization_id = v.organization_id and c.id = v.connection_id
      join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
      join apps a on a.organization_id = d.organization_id and a.id = d.app_id
      join sources s on s.organization_id = c.organization_id and s.id = c.source_id
      join apps sa on sa.organization_id = s.organization_id and sa.id = s.app_id
     where v.organization_id = $1 and c.deleted_at is null and c.payment_id is null and a.provider <> all($2::text[]) and sa.provider <> 'custom'
       and v.stream = any(c.streams) and v.day >= c.history_from and v.state in ('final', 'empty_confirmed', 'restated')),
  ranges as (
    select connection_id, stream, account_id, min(day) as first, max(day) as last, count(*) as days
      from islands group by connection_id, stream, account_id, island),
  accounts as (
    select connection_id, stream, account_id, array_agg(first || '/' || last order by first) as days, sum(days) as count
      from ranges group by connection_id, stream, account_id having count(*) <= ${MOST_RANGES})
  select connection_id as "connectionId", stream, days, array_agg(account_id order by account_id collate "C") as "accountIds",
         sum(count)::int as count
    from accounts group by connection_id, stream, days
   order by stream collate "C", min(account_id collate "C")`;

/** @param appendOnly providers whose rows cannot be replaced */
export const listLoadedRanges = (
  tenants: TenantDatabase,
  organizationId: string,
  appendOnly: readonly string[],
): Promise<RangesOfAccounts[]> => tenants.query<RangesOfAccounts>(organizationId, LOADED, [appendOnly]);

export const listLoadedPlaces = (tenants: TenantDatabase, organizationId: string): Promise<PlaceOfStream[]> =>
  tenants.query<PlaceOfStream>(
    organizationId,
    `select connection_id as "connectionId", stream, target as place, columns from stream_targets
      where organization_id = $1 and columns is not null order by stream collate "C"`,
  );
