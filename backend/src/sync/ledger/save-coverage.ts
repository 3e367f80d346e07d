import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { Lease, SliceOutcome } from './lease.js';
import type { SliceRow } from './sync.queries.js';

// SQL: many days in one statement (upsert with unnest) that also stores how their sums changed.

const SETTLED = `('final', 'empty_confirmed', 'restated')`;

/** Whether the sums of a day changed. Conversions are compared only if both loads know them. */
const sumsDiffer = (before: string, after: string): string =>
  `((${before}.rows, ${before}.cost_micros, ${before}.clicks, ${before}.impressions)
      is distinct from (${after}.rows, ${after}.cost_micros, ${after}.clicks, ${after}.impressions)
    or coalesce(${before}.conversions <> ${after}.conversions, false))`;

/** Parameters: connection, stream, account, time of the read, columns of the days, run, columns of the days, day of the read. */
const SAVE = `with loaded as (
     select *, state not in ('failed', 'loading') as is_verified
       from unnest($6::date[], $7::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $13::text[], $14::float8[])
         as d(day, state, rows, cost_micros, clicks, impressions, content_hash, conversions)),
   before as (
     select v.day, v.state, v.rows, v.cost_micros, v.clicks, v.impressions, v.conversions, v.revisions, v.settled_at
       from coverage v
      where v.organization_id = $1 and v.connection_id = $2 and v.stream = $3 and v.account_id = $4 and v.day = any($6::date[])
        and v.first_loaded_at is not null
      order by v.day for update),
   changed as (
     insert into coverage_changes (organization_id, connection_id, stream, account_id, day, changed_at, revision, run_id, age_days,
            was_settled, rows_before, rows_after, cost_micros_before, cost_micros_after, clicks_before, clicks_after,
            impressions_before, impressions_after, conversions_before, conversions_after)
     select $1, $2, $3, $4, after.day, now(), before.revisions + 1, $12, greatest(0, $15::date - after.day),
            before.state in ${SETTLED} or before.settled_at is not null,
            before.rows, after.rows, before.cost_micros, after.cost_micros, before.clicks, after.clicks,
            before.impressions, after.impressions, before.conversions, after.conversions
       from loaded after join before on before.day = after.day
      where after.is_verified and ${sumsDiffer('before', 'after')}
     on conflict do nothing)
   insert into coverage (organization_id, connection_id, stream, account_id, day, state, rows, cost_micros, clicks, impressions,
                         conversions, first_loaded_at, last_changed_at, last_verified_at, settled_at, run_id, content_hash)
   select $1, $2, $3, $4, day, state::coverage_state, rows, cost_micros, clicks, impressions, conversions,
          case when is_verified then now() end, now(), $5, case when state in ${SETTLED} then now() end, $12, content_hash
     from loaded
    -- Reads and locks the stored days before the first of them is updated.
    where (select count(*) from before) >= 0
   on conflict (organization_id, connection_id, stream, account_id, day) do update set
     (state, rows, cost_micros, clicks, impressions, conversions, first_loaded_at, last_changed_at, last_verified_at, settled_at,
      revisions, run_id, content_hash) = (
       select case when excluded.settled_at is not null and coverage.first_loaded_at is not null and (coverage.state in ${SETTLED} or coverage.settled_at is not null)
                        and (moved or coverage.state = 'restated' or coverage.last_changed_at > coverage.settled_at)
                   then 'restated' else excluded.state end,
              case when keeps then coverage.rows else excluded.rows end,
              case when keeps then coverage.cost_micros else excluded.cost_micros end,
              case when keeps then coverage.clicks else excluded.clicks end,
              case when keeps then coverage.impressions else excluded.impressions end,
              case when keeps then coverage.conversions else excluded.conversions end,
              coalesce(coverage.first_loaded_at, excluded.first_loaded_at),
              case when moved or coverage.first_loaded_at is null then excluded.last_changed_at else coverage.last_changed_at end,
              excluded.last_verified_at,
              coalesce(coverage.settled_at, excluded.settled_at),
              coverage.revisions + case when moved and coverage.first_loaded_at is not null then 1 else 0 end,
              excluded.run_id,
              case when keeps then coverage.content_hash else excluded.content_hash end
         from (select keeps, not keeps and ${sumsDiffer('coverage', 'excluded')} as moved
                 from (select excluded.first_loaded_at is null and coverage.first_loaded_at is not null as keeps) kept) change)`;

/**
 * Stores the days of a slice, and one change for each day whose sums differ from the last verified load. One statement, because
 * every slice executes it. A settled day whose sums changed is restated, also if it was marked as missing in between. A day that
 * was not settled is expected to change. Days that were not verified keep the sums of the last verified load.
 */
export async function saveCoverage(
  query: TenantQuery,
  lease: Lease,
  {
    slice,
    days,
    verifiedAt,
    readOn,
  }: Pick<SliceOutcome, 'days' | 'verifiedAt' | 'readOn'> & { slice: Pick<SliceRow, 'stream' | 'accountId'> },
): Promise<void> {
  await query(SAVE, [
    lease.connectionId,
    slice.stream,
    slice.accountId,
    verifiedAt,
    days.map((entry) => entry.day),
    days.map((entry) => entry.state),
    days.map((entry) => entry.totals.rows),
    days.map((entry) => entry.totals.costMicros),
    days.map((entry) => entry.totals.clicks),
    days.map((entry) => entry.totals.impressions),
    lease.runId,
    days.map((entry) => entry.contentHash),
    days.map((entry) => entry.conversions),
    readOn,
  ]);
}
