import type { AdAccount, Day } from '../../connectors/kit/contract.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { CoverageDay, Lease, SliceOutcome } from '../ledger/lease.js';
import { saveCoverage } from '../ledger/save-coverage.js';
import { type PlannedSlice, ranges, RECENT_DAYS, SLICE_DAYS } from '../run/plan-slices.js';
import { cutRange } from '../run/run-scope.js';

// SQL: an upsert of many days (unnest); aggregates over the days of the new table and coverage.

/** Verified days of a slice in the new table. They become coverage with the swap. */
export async function saveResyncDays(
  query: TenantQuery,
  backfillId: string,
  { slice, days, verifiedAt, readOn }: Pick<SliceOutcome, 'slice' | 'days' | 'verifiedAt' | 'readOn'>,
): Promise<void> {
  await query(
    `insert into resync_days (organization_id, backfill_id, account_id, day, state, rows, cost_micros, clicks, impressions, conversions,
                              content_hash, verified_at, read_on)
     select $1, $2, $3, d.*, $4, $5
       from unnest($6::date[], $7::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::float8[], $13::text[]) d
     on conflict (organization_id, backfill_id, account_id, day) do update
        set state = excluded.state, rows = excluded.rows, cost_micros = excluded.cost_micros, clicks = excluded.clicks,
            impressions = excluded.impressions, conversions = excluded.conversions, content_hash = excluded.content_hash,
            verified_at = excluded.verified_at, read_on = excluded.read_on`,
    [
      backfillId,
      slice.accountId,
      verifiedAt,
      readOn,
      days.map(({ day }) => day),
      days.map(({ state }) => state),
      days.map(({ totals }) => totals.rows),
      days.map(({ totals }) => totals.costMicros),
      days.map(({ totals }) => totals.clicks),
      days.map(({ totals }) => totals.impressions),
      days.map(({ conversions }) => conversions),
      days.map(({ contentHash }) => contentHash),
    ],
  );
}

/**
 * Days to read before the swap: those that the new table lacks, those that the old table got later, and if wanted the last days, which
 * change most. Newest first.
 */
export async function listStaleDays(
  query: TenantQuery,
  { connectionId, backfillId, stream }: { connectionId: string; backfillId: string; stream: string },
  { accounts, now, readsLastDays }: { accounts: AdAccount[]; now: Date; readsLastDays: boolean },
): Promise<PlannedSlice[]> {
  const rows = await query<{ accountId: string; days: Day[] }>(
    `select zone.account_id as "accountId", array_agg(stale.day::date::text order by stale.day) as days
       from backfills b
       join unnest($5::text[], $6::text[]) as zone(account_id, name) on zone.account_id = any(b.account_ids)
      cross join lateral (select ($7::timestamptz at time zone zone.name)::date as day) today
      cross join lateral generate_series(b.day_from, today.day, interval '1 day') as stale(day)
       left join resync_days d on d.organization_id = $1 and d.backfill_id = $2 and d.account_id = zone.account_id and d.day = stale.day::date
       left join coverage v on v.organization_id = $1 and v.connection_id = $3 and v.stream = $4 and v.account_id = zone.account_id
                           and v.day = stale.day::date and v.state in ('provisional', 'final', 'restated', 'empty_confirmed')
      where b.organization_id = $1 and b.id = $2
        and (d.day is null or v.last_verified_at > d.verified_at or ($8 and stale.day::date >= today.day - ${RECENT_DAYS}))
      group by zone.account_id`,
    [
      backfillId,
      connectionId,
      stream,
      accounts.map(({ externalId }) => externalId),
      accounts.map(({ timeZone }) => timeZone),
      now,
      readsLastDays,
    ],
  );
  const slices = rows.flatMap(({ accountId, days }) =>
    ranges(days).flatMap((range) => cutRange({ stream, accountId, ...range }, SLICE_DAYS)),
  );
  return slices.sort((one, other) => (one.to < other.to ? 1 : -1));
}

/** First and last day of each account in the new table. */
export const listLoadedRanges = (query: TenantQuery, backfillId: string): Promise<{ accountId: string; from: Day; to: Day }[]> =>
  query<{ accountId: string; from: Day; to: Day }>(
    `select account_id as "accountId", min(day)::text as from, max(day)::text as to from resync_days
      where organization_id = $1 and backfill_id = $2 group by account_id order by account_id`,
    [backfillId],
  );

interface StoredDays extends Record<string, unknown> {
  accountId: string;
  verifiedAt: Date;
  readOn: Day;
  days: { day: Day; state: CoverageDay['state']; rows: string; costMicros: string; clicks: string; impressions: string; conversions: number | null; contentHash: string | null }[]; // prettier-ignore
}

/** The days of the new table become the coverage of the stream, as if they had been loaded into its table. */
export async function moveDays(query: TenantQuery, lease: Lease, backfillId: string, stream: string): Promise<void> {
  const stored = await query<StoredDays>(
    `select account_id as "accountId", verified_at as "verifiedAt", read_on::text as "readOn",
            jsonb_agg(jsonb_build_object('day', day, 'state', state, 'rows', rows::text, 'costMicros', cost_micros::text,
              'clicks', clicks::text, 'impressions', impressions::text, 'conversions', conversions, 'contentHash', content_hash) order by day) as days
       from resync_days where organization_id = $1 and backfill_id = $2 group by account_id, verified_at, read_on
      order by account_id, verified_at`,
    [backfillId],
  );
  for (const { accountId, verifiedAt, readOn, days } of stored)
    await saveCoverage(query, lease, {
      slice: { stream, accountId },
      verifiedAt,
      readOn,
      days: days.map(({ day, state, conversions, contentHash, ...sums }) => ({
        ...{ day, state, conversions, contentHash },
        totals: {
          day,
          rows: Number(sums.rows),
          costMicros: BigInt(sums.costMicros),
          clicks: BigInt(sums.clicks),
          impressions: BigInt(sums.impressions),
        },
      })),
    });
  await query('delete from resync_days where organization_id = $1 and backfill_id = $2', [backfillId]);
}
