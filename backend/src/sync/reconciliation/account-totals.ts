import type { AccountTotals } from '../../connectors/kit/contract.js';
import { listDays } from '../../connectors/kit/days.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { AccountWindow } from './account-windows.js';
import type { DifferingDay } from './classify-difference.js';

// SQL: an aggregate over coverage; an upsert of many days (unnest) that keeps the time of the last change.

/** Stores the totals of an account, and when they changed. A day that the provider omits has no traffic. */
export async function saveTotals(
  query: TenantQuery,
  connectionId: string,
  { account, from, to }: AccountWindow,
  { days, rowRoundingMicros }: AccountTotals,
  readAt: Date,
): Promise<void> {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const all = listDays(from, to);
  await query(
    `insert into account_totals (organization_id, connection_id, account_id, day, cost_micros, clicks, impressions, rounding_micros, seen_at)
     select $1, $2, $3, d.day, d.cost_micros, d.clicks, d.impressions, $8, $9
       from unnest($4::date[], $5::bigint[], $6::bigint[], $7::bigint[]) as d(day, cost_micros, clicks, impressions)
     on conflict (organization_id, connection_id, account_id, day) do update set
       (cost_micros, clicks, impressions, rounding_micros, changed_at, repaired_at) = (
         select excluded.cost_micros, excluded.clicks, excluded.impressions, excluded.rounding_micros,
                case when moved then excluded.seen_at else account_totals.changed_at end,
                case when moved then null else account_totals.repaired_at end
           from (select (account_totals.cost_micros, account_totals.clicks, account_totals.impressions)
                        is distinct from (excluded.cost_micros, excluded.clicks, excluded.impressions) as moved) change)`,
    [
      connectionId,
      account.externalId,
      all,
      all.map((day) => byDay.get(day)?.costMicros ?? 0n),
      all.map((day) => byDay.get(day)?.clicks ?? 0n),
      all.map((day) => byDay.get(day)?.impressions ?? 0n),
      rowRoundingMicros,
      readAt,
    ],
  );
}

type Row = Omit<DifferingDay, 'loaded' | 'platform'> &
  Record<`${'loaded' | 'platform'}${'Cost' | 'Clicks' | 'Impressions'}`, bigint>;

/** The account-days whose loaded sums differ from the stored totals by more than rounding, and how many were compared. */
export async function findDiffering(
  query: TenantQuery,
  connectionId: string,
  streams: string[],
  windows: AccountWindow[],
): Promise<{ compared: number; days: DifferingDay[] }> {
  const parameters = [
    connectionId,
    streams,
    windows.map(({ account }) => account.externalId),
    windows.map(({ from }) => from),
    windows.map(({ to }) => to),
  ];
  const compared = `coverage v
    join unnest($4::text[], $5::date[], $6::date[]) as w(account_id, first, last) on w.account_id = v.account_id
     and v.day between w.first and w.last
    join account_totals t on t.organization_id = v.organization_id and t.connection_id = v.connection_id
     and t.account_id = v.account_id and t.day = v.day
   where v.organization_id = $1 and v.connection_id = $2 and v.stream = any($3::text[])
     and v.state in ('provisional', 'final', 'restated', 'empty_confirmed') and v.last_verified_at is not null
     -- Imported days have no sums yet.
     and v.first_loaded_at is not null`;
  const [counted] = await query<{ days: number }>(`select count(*)::int as days from ${compared}`, parameters);
  const rows = await query<Row & Record<string, unknown>>(
    `select v.stream, v.account_id as "accountId", v.day::text as day, v.state, v.rows::float8 as rows, v.cost_micros as "loadedCost",
            v.clicks as "loadedClicks", v.impressions as "loadedImpressions", t.cost_micros as "platformCost",
            t.clicks as "platformClicks", t.impressions as "platformImpressions", v.last_verified_at as "lastVerifiedAt",
            t.seen_at as "seenAt", t.changed_at as "changedAt", t.repaired_at as "repairedAt",
            t.rounding_micros * (v.rows + 1) as "roundingMicros"
       from ${compared}
        and (v.clicks <> t.clicks or v.impressions <> t.impressions
             or abs(v.cost_micros - t.cost_micros) > t.rounding_micros * (v.rows + 1))
      order by v.stream, v.account_id, v.day`,
    parameters,
  );
  return { compared: counted?.days ?? 0, days: rows.map(toDay) };
}

const toDay = ({
  loadedCost,
  loadedClicks,
  loadedImpressions,
  platformCost,
  platformClicks,
  platformImpressions,
  ...row
}: Row): DifferingDay => ({
  ...row,
  loaded: { costMicros: loadedCost, clicks: loadedClicks, impressions: loadedImpressions },
  platform: { costMicros: platformCost, clicks: platformClicks, impressions: platformImpressions },
});

/**
 * The days become missing and the next run loads them. The caller has locked the runs and the connection; the days are locked in
 * one order, because other transactions mark days, too.
 */
export async function markForRepair(
  query: TenantQuery,
  connectionId: string,
  days: Pick<DifferingDay, 'stream' | 'accountId' | 'day'>[],
): Promise<void> {
  if (days.length === 0) return;
  const columns = [days.map(({ stream }) => stream), days.map(({ accountId }) => accountId), days.map(({ day }) => day)];
  await query(
    `with marked as (
       select v.stream, v.account_id, v.day from coverage v
         join unnest($3::text[], $4::text[], $5::date[]) as d(stream, account_id, day)
           on d.stream = v.stream and d.account_id = v.account_id and d.day = v.day
        where v.organization_id = $1 and v.connection_id = $2
        order by v.stream, v.account_id, v.day for update of v)
     update coverage v set state = 'missing' from marked m
      where v.organization_id = $1 and v.connection_id = $2 and v.stream = m.stream and v.account_id = m.account_id and v.day = m.day`,
    [connectionId, ...columns],
  );
  await query(
    `update account_totals t set repaired_at = now() from unnest($3::text[], $4::date[]) as d(account_id, day)
      where t.organization_id = $1 and t.connection_id = $2 and t.account_id = d.account_id and t.day = d.day`,
    [connectionId, columns[1], columns[2]],
  );
}

/** Totals of days that are no longer compared. */
export async function forgetTotals(query: TenantQuery, connectionId: string, windows: AccountWindow[]): Promise<void> {
  await query(
    `delete from account_totals t
      where t.organization_id = $1 and t.connection_id = $2
        and not exists (select from unnest($3::text[], $4::date[]) as w(account_id, first)
                         where w.account_id = t.account_id and t.day >= w.first)`,
    [connectionId, windows.map(({ account }) => account.externalId), windows.map(({ from }) => from)],
  );
}
