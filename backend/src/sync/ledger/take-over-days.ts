import type { TenantQuery } from '../../core/database/tenant-database.js';

// SQL: inserts each day of many ranges in one statement.

/** Account-days that another installation has loaded. */
export interface LoadedRange {
  stream: string;
  accountId: string;
  from: string;
  to: string;
}

/** Where they are. */
export interface LoadedTable {
  stream: string;
  place: string;
  columns: Record<string, string>;
}

/**
 * The days count as loaded, so that they are not loaded again. Without `first_loaded_at`, because no run of this installation has
 * verified them: their sums are unknown. If the destination reports another place, the first run loads all of them.
 */
export async function takeOverDays(
  query: TenantQuery,
  connectionId: string,
  ranges: LoadedRange[],
  tables: LoadedTable[],
): Promise<void> {
  await query(
    `insert into coverage (organization_id, connection_id, stream, account_id, day, state, last_verified_at, settled_at)
     select $1, $2::uuid, r.stream, r.account_id, day::date, 'final', now(), now()
       from unnest($3::text[], $4::text[], $5::date[], $6::date[]) as r(stream, account_id, first, last)
      cross join generate_series(r.first::timestamp, r.last::timestamp, '1 day') day
     on conflict do nothing`,
    [
      connectionId,
      ranges.map(({ stream }) => stream),
      ranges.map(({ accountId }) => accountId),
      ranges.map(({ from }) => from),
      ranges.map(({ to }) => to),
    ],
  );
  await query(
    `insert into stream_targets (organization_id, connection_id, stream, target, columns)
     select $1, $2::uuid, t.stream, t.place, t.columns from unnest($3::text[], $4::text[], $5::jsonb[]) as t(stream, place, columns)`,
    [
      connectionId,
      tables.map(({ stream }) => stream),
      tables.map(({ place }) => place),
      tables.map(({ columns }) => JSON.stringify(columns)),
    ],
  );
}
