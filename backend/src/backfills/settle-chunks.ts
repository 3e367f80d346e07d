import type { Failure } from '../core/http/failure.dto.js';
import { failureColumn } from '../core/http/failures.js';
import type { TenantQuery, TenantTransaction } from '../core/database/tenant-database.js';
import { Prisma } from '../generated/prisma/client.js';

// SQL: compares the days of chunks with slices and coverage in one statement.

/** Runs that may be queued for one chunk. Beyond, something prevents it from being loaded without an error. */
const MOST_ATTEMPTS = 10;

const notLoaded: Failure = {
  class: 'transient',
  code: 'backfill.not_loaded',
  message: `${MOST_ATTEMPTS} runs ended without loading these days.`,
  action: 'Retry the failed chunks',
  providerRequestId: null,
};

/** How the run of some chunks ended. */
export interface EndedRun extends Record<string, unknown> {
  runId: string;
  backfillId: string;
  state: string;
  failure: Failure | null;
  /** It ended before it read all of its slices, because of an error that concerns all of them. */
  isBroken: boolean;
}

/** Ended runs whose chunks still count as running. Usually one. */
export const listEndedRuns = (query: TenantQuery, connectionId: string): Promise<EndedRun[]> =>
  query<EndedRun>(
    `select distinct r.id as "runId", k.backfill_id as "backfillId", r.state, r.failure,
            r.state in ('failed', 'partial') and (r.window_from is null or exists (
              select from run_slices s where s.organization_id = $1 and s.run_id = r.id and s.state = 'skipped' and s.failure is null))
              as "isBroken"
       from backfills b
       join backfill_chunks k on k.organization_id = $1 and k.backfill_id = b.id and k.state = 'running'
       join runs r on r.organization_id = $1 and r.id = k.run_id and r.ended_at is not null
      where b.organization_id = $1 and b.connection_id = $2`,
    [connectionId],
  );

/**
 * Stores the outcome of a run in its chunks. A chunk is done when each of its days was loaded by this run, or is loaded already if
 * only missing days are wanted. A chunk that the run did not reach waits for the next run. A run that loaded other chunks and left this
 * one out, because another run loads its days, does not count as queued for it. Each such run loads a chunk, so their number is limited.
 */
export async function settleChunks(query: TenantQuery, runId: string): Promise<void> {
  await query(
    `with outcome as (
       select k.id, k.attempts - case when count(s.id) = 0 and exists (
                       select from run_slices d where d.organization_id = $1 and d.run_id = $2 and d.state = 'done') then 1 else 0 end as attempts,
              count(s.id) filter (where ${FAILED}) as failed, count(s.id) filter (where ${OPEN}) as open,
              (array_agg(s.failure order by s.id) filter (where ${FAILED}))[1] as failure,
              exists (select from generate_series(k.day_from, k.day_to, interval '1 day') day
                       where not exists (select from run_slices d where d.organization_id = $1 and d.run_id = $2 and d.state = 'done'
                                            and d.stream = k.stream and d.account_id = k.account_id and day between d.day_from and d.day_to)
                         and not (b.mode = 'fill_missing' and exists (
                               select from coverage v where v.organization_id = $1 and v.connection_id = b.connection_id
                                  and v.stream = k.stream and v.account_id = k.account_id and v.day = day::date
                                  and v.state in ('provisional', 'final', 'restated', 'empty_confirmed')))) as "isIncomplete"
         from backfill_chunks k
         join backfills b on b.organization_id = $1 and b.id = k.backfill_id
         join runs r on r.organization_id = $1 and r.id = k.run_id
         left join run_slices s on s.organization_id = $1 and s.run_id = $2 and s.stream = k.stream and s.account_id = k.account_id
                               and s.day_from >= k.day_from and s.day_to <= k.day_to
        where k.organization_id = $1 and k.run_id = $2 and k.state = 'running'
        group by k.id, b.mode, b.connection_id)
     update backfill_chunks k
        set state = case when o.failed > 0 or (o."isIncomplete" and o.attempts >= ${MOST_ATTEMPTS}) then 'failed'
                         when o.open > 0 or o."isIncomplete" then 'pending' else 'done' end::chunk_state,
            failure = case when o.failed = 0 and o."isIncomplete" and o.attempts >= ${MOST_ATTEMPTS} then $3::jsonb else o.failure end,
            attempts = o.attempts,
            rows = case when b.mode = 'resync' then (
                       select coalesce(sum(d.rows), 0) from resync_days d
                        where d.organization_id = $1 and d.backfill_id = b.id and d.account_id = k.account_id
                          and d.day between k.day_from and k.day_to)
                   else (select coalesce(sum(v.rows), 0) from coverage v
                     where v.organization_id = $1 and v.connection_id = b.connection_id and v.stream = k.stream
                       and v.account_id = k.account_id and v.day between k.day_from and k.day_to) end
       from outcome o, backfills b
      where k.organization_id = $1 and k.id = o.id and b.organization_id = $1 and b.id = k.backfill_id`,
    [runId, JSON.stringify(notLoaded)],
  );
}

export const failRunning = (transaction: TenantTransaction, id: string, failure: Failure | null): Promise<unknown> =>
  transaction.backfill.updateMany({
    where: { id, state: 'running' },
    data: { state: 'failed', failure: failure ? failureColumn.write(failure) : Prisma.DbNull, endedAt: new Date() },
  });

/** A canceled run did not reach its skipped slices; some of them wait for a retry. */
const FAILED = `s.state = 'failed' or (s.state = 'skipped' and s.failure is not null and r.state <> 'cancelled')`;
const OPEN = `s.state in ('pending', 'running') or (s.state = 'skipped' and (s.failure is null or r.state = 'cancelled'))`;
