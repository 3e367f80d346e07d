import type { Day } from '../connectors/kit/contract.js';
import { newId } from '../core/database/identifiers.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import { Problem } from '../core/http/problem.js';
import { readAfterEnd } from '../read-models/index.js';
import type { TenantQuery, TenantWork } from '../core/database/tenant-database.js';
import { cutRange } from '../sync/index.js';
import type { BackfillPlan } from './plan-backfill.js';

// SQL: counts days against coverage, and writes many chunks in one statement (unnest).

/** Streams times accounts times days. The days of one backfill are counted by one statement. */
const MOST_ACCOUNT_DAYS = 1_000_000;

export interface DaysToRead {
  stream: string;
  accountId: string;
  days: number;
  /** First and last day to read. */
  from: string;
  to: string;
}

interface Range {
  stream: string;
  accountId: string;
  from: string;
  to: string;
}

/** SQL of the days `day` of a stream and account that are still to be read; `zone.name` is the account's time zone. */
const isToRead = (mode: string): string =>
  `(${mode} = 'replace' or not exists (
      select from coverage v
       where v.organization_id = $1 and v.connection_id = $2 and v.stream = stream.name and v.account_id = zone.account_id
         and v.day = day.day and v.state in ('provisional', 'final', 'restated', 'empty_confirmed')
         and ${readAfterEnd('v', 'zone.name')}))`;

/** Days to read by stream and account. An account's days end on its own today. */
export async function countDaysToRead(query: TenantQuery, plan: BackfillPlan): Promise<DaysToRead[]> {
  const { connectionId, streams, accounts, from, to, mode } = plan;
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (days * streams.length * accounts.length > MOST_ACCOUNT_DAYS) throw tooLarge();
  return query<DaysToRead & Record<string, unknown>>(
    `select stream.name as stream, zone.account_id as "accountId", count(*)::int as days, min(day.day)::text as from, max(day.day)::text as to
       from unnest($3::text[]) as stream(name)
      cross join unnest($4::text[], $5::text[]) as zone(account_id, name)
      cross join lateral (
        select generate_series($6::date, least($7::date, (now() at time zone zone.name)::date), interval '1 day')::date) as day(day)
      where ${isToRead('$8')}
      group by stream.name, zone.account_id`,
    [
      connectionId,
      streams,
      accounts.map(({ externalId }) => externalId),
      accounts.map(({ timeZone }) => timeZone),
      from,
      to,
      mode,
    ],
  );
}

/** Chunks that contain a day to read. The run leaves out the other days of a chunk if the backfill fills missing days. */
export async function insertChunks(
  query: TenantQuery,
  backfillId: string,
  plan: BackfillPlan,
  chunkDays: number,
): Promise<number> {
  const found = await countDaysToRead(query, plan);
  const chunks = found.flatMap(({ stream, accountId, from, to }) => cutRange({ stream, accountId, from, to }, chunkDays));
  const needed = plan.mode === 'replace' ? chunks : await withDaysToRead(query, plan, chunks);
  if (needed.length > LIST_LIMITS.backfillChunks) throw tooLarge();
  await insert(query, backfillId, needed);
  return needed.length;
}

async function withDaysToRead(query: TenantQuery, plan: BackfillPlan, chunks: Range[]): Promise<Range[]> {
  const zones = new Map(plan.accounts.map(({ externalId, timeZone }) => [externalId, timeZone]));
  const rows = await query<{ place: number }>(
    `select c.place::int as place
       from unnest($3::text[], $4::text[], $5::text[], $6::date[], $7::date[])
              with ordinality as c(stream, account_id, zone, day_from, day_to, place)
      cross join lateral (select c.stream as name) stream
      cross join lateral (select c.account_id, c.zone as name) zone
      where exists (select from (select generate_series(c.day_from, c.day_to, interval '1 day')::date) as day(day)
                     where ${isToRead("'fill_missing'")})`,
    [
      plan.connectionId,
      chunks.map(({ stream }) => stream),
      chunks.map(({ accountId }) => accountId),
      chunks.map(({ accountId }) => zones.get(accountId)),
      chunks.map(({ from }) => from),
      chunks.map(({ to }) => to),
    ],
  );
  const places = new Set(rows.map(({ place }) => place));
  return chunks.filter((_, index) => places.has(index + 1));
}

async function insert(query: TenantQuery, backfillId: string, chunks: Range[]): Promise<void> {
  await query(
    `insert into backfill_chunks (organization_id, id, backfill_id, stream, account_id, day_from, day_to)
     select $1, id, $2, stream, account_id, day_from, day_to
       from unnest($3::uuid[], $4::text[], $5::text[], $6::date[], $7::date[]) as c(id, stream, account_id, day_from, day_to)`,
    [
      backfillId,
      chunks.map(() => newId()),
      chunks.map(({ stream }) => stream),
      chunks.map(({ accountId }) => accountId),
      chunks.map(({ from }) => from),
      chunks.map(({ to }) => to),
    ],
  );
}

/**
 * Removes days that the platform no longer has from active backfills. Its first day moves every day, and a backfill can take longer.
 * Such days cannot be read, so their chunks could never be done.
 */
export async function removeUnavailableDays(query: TenantQuery, connectionId: string, first: Day): Promise<void> {
  const active = `organization_id = $1 and connection_id = $2 and state in ('scheduled', 'running', 'paused') and day_from < $3`;
  await query(
    `update backfill_chunks set day_from = least($3, day_to), state = case when day_to < $3 then 'done' else state end
      where organization_id = $1 and state in ('pending', 'running') and day_from < $3
        and backfill_id in (select id from backfills where ${active})`,
    [connectionId, first],
  );
  await query(`update backfills set day_from = least($3, day_to) where ${active}`, [connectionId, first]);
}

/** After the platform found a chunk too large, the remaining chunks get the size that it answered. */
export async function shrinkChunks({ transaction, query }: TenantWork, backfillId: string, runId: string): Promise<void> {
  const [split] = await query<{ days: number | null }>(
    // Slices of one chunk are adjacent only if the engine has split them.
    `select max(greatest(a.day_to - a.day_from, b.day_to - b.day_from) + 1)::int as days
       from backfill_chunks k
       join run_slices a on a.organization_id = $1 and a.run_id = $3 and a.stream = k.stream and a.account_id = k.account_id
                        and a.day_from >= k.day_from and a.state = 'done'
       join run_slices b on b.organization_id = $1 and b.run_id = $3 and b.stream = k.stream and b.account_id = k.account_id
                        and b.day_from = a.day_to + 1 and b.day_to <= k.day_to and b.state = 'done'
      where k.organization_id = $1 and k.backfill_id = $2 and k.run_id = $3`,
    [backfillId, runId],
  );
  const days = split?.days ?? null;
  if (days === null) return;
  const larger = { id: backfillId, chunkDays: { gt: days } };
  const { count } = await transaction.backfill.updateMany({ where: larger, data: { chunkDays: days } });
  if (count === 0) return;
  const long = await query<Range & Record<string, unknown>>(
    `delete from backfill_chunks where organization_id = $1 and backfill_id = $2 and state = 'pending' and day_to - day_from + 1 > $3
     returning stream, account_id as "accountId", day_from::text as from, day_to::text as to`,
    [backfillId, days],
  );
  await insert(
    query,
    backfillId,
    long.flatMap(({ stream, accountId, from, to }) => cutRange({ stream, accountId, from, to }, days)),
  );
}

const tooLarge = (): Problem =>
  new Problem('backfill.too_large', {
    detail: `A backfill has at most ${MOST_ACCOUNT_DAYS} days of streams and accounts, in ${LIST_LIMITS.backfillChunks} chunks.`,
    action: 'Choose fewer days, streams or accounts',
  });
