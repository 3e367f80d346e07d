import { Injectable } from '@nestjs/common';
import { IdCursor } from '../core/database/cursor.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import type { PageQuery } from '../core/http/page.dto.js';
import { notFound } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type {
  BackfillChunkEntry,
  BackfillDetail,
  BackfillEntry,
  BackfillPage,
  BackfillProgress,
  BackfillsQuery,
} from './backfills.dto.js';

// SQL: a page of one statement that counts chunks and slices.

type Counts = Omit<BackfillProgress, 'rowsPerSecond' | 'secondsLeft'>;
type Row = Omit<BackfillEntry, 'progress' | 'adjustedFrom' | 'createdAt' | 'startedAt' | 'endedAt'> &
  Counts & {
    createdAt: Date;
    startedAt: Date | null;
    endedAt: Date | null;
    /** Time in which its runs were active. */
    activeSeconds: number;
  };

/** Days and rows of the active run are counted by its slices. */
const SELECT = `
  select b.id, b.connection_id as "connectionId", b.state, b.mode, b.streams,
         case when b.mode = 'resync' then case when swap.swapped_at is not null then 'swapped'
              when swap.swap_run_id is not null then 'swapping' else 'loading' end end as phase, b.account_ids as accounts,
         b.requested_from as "requestedFrom", b.day_from as from, b.day_to as to, b.adjusted_reason as "adjustedReason",
         b.chunk_days as "chunkDays", b.estimate, b.paused_reason as "pausedReason", b.failure, u.full_name as "startedBy",
         b.created_at as "createdAt", b.started_at as "startedAt", b.ended_at as "endedAt",
         counted."chunksTotal", counted."chunksDone" + live.chunks as "chunksDone", counted."chunksFailed", counted."daysTotal",
         counted."daysDone" + live.days as "daysDone", counted.rows + live.rows as rows, worked."activeSeconds"
    from backfills b
    left join users u on u.uid = b.actor
    left join resyncs swap on swap.organization_id = b.organization_id and swap.backfill_id = b.id
   cross join lateral (
      select count(*)::int as "chunksTotal", count(*) filter (where k.state = 'done')::int as "chunksDone",
             count(*) filter (where k.state = 'failed')::int as "chunksFailed", coalesce(sum(k.day_to - k.day_from + 1), 0)::int as "daysTotal",
             coalesce(sum(k.day_to - k.day_from + 1) filter (where k.state = 'done'), 0)::int as "daysDone",
             coalesce(sum(k.rows) filter (where k.state = 'done'), 0)::float8 as rows, array_agg(distinct k.run_id) as runs,
             array_agg(distinct k.run_id) filter (where k.state = 'running') as active
        from backfill_chunks k where k.organization_id = b.organization_id and k.backfill_id = b.id) counted
   cross join lateral (
      select coalesce(sum(s.day_to - s.day_from + 1), 0)::int as days, coalesce(sum(s.rows_found), 0)::float8 as rows,
             (select count(*)::int from backfill_chunks k
               where k.organization_id = b.organization_id and k.backfill_id = b.id and k.state = 'running'
                 and (select bool_and(own.state = 'done') from run_slices own
                       where own.organization_id = k.organization_id and own.run_id = k.run_id and own.stream = k.stream
                         and own.account_id = k.account_id and own.day_from >= k.day_from and own.day_to <= k.day_to)) as chunks
        from run_slices s where s.organization_id = b.organization_id and s.run_id = any(counted.active) and s.state = 'done') live
   cross join lateral (
      select coalesce(sum(extract(epoch from coalesce(r.ended_at, now()) - r.started_at)), 0)::float8 as "activeSeconds"
        from runs r where r.organization_id = b.organization_id and r.id = any(counted.runs)) worked
   where b.organization_id = $1`;
const OF_CONNECTION = `${SELECT} and b.connection_id = $2`;

/** The connections of the organization that still exist. */
const OF_ORGANIZATION = `${SELECT} and b.connection_id in (
      select c.id from connections c where c.organization_id = $1 and c.deleted_at is null)`;

const CURSOR = new IdCursor('backfills');
const ORGANIZATION_CURSOR = new IdCursor('organization-backfills');

@Injectable()
export class BackfillsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Newest first. */
  async listBackfills(organizationId: string, connectionId: string, { cursor, limit }: PageQuery): Promise<BackfillPage> {
    await this.assertConnection(organizationId, connectionId);
    const rows = await this.tenants.query<Row>(
      organizationId,
      `${OF_CONNECTION} and ($3::uuid is null or b.id < $3) order by b.id desc limit $4`,
      [connectionId, CURSOR.after(cursor), limit + 1],
    );
    return CURSOR.toPage(rows.map(toEntry), limit, ({ id }) => [id]);
  }

  /** Of all connections, newest first. */
  async listOfOrganization(organizationId: string, { cursor, limit, state }: BackfillsQuery): Promise<BackfillPage> {
    const rows = await this.tenants.query<Row>(
      organizationId,
      `${OF_ORGANIZATION} and ($2::backfill_state is null or b.state = $2) and ($3::uuid is null or b.id < $3)
        order by b.id desc limit $4`,
      [state ?? null, ORGANIZATION_CURSOR.after(cursor), limit + 1],
    );
    return ORGANIZATION_CURSOR.toPage(rows.map(toEntry), limit, ({ id }) => [id]);
  }

  async getBackfill(organizationId: string, connectionId: string, backfillId: string): Promise<BackfillDetail> {
    const [row] = await this.tenants.query<Row>(organizationId, `${OF_CONNECTION} and b.id = $3`, [connectionId, backfillId]);
    if (!row) throw notFound('The backfill');
    return { ...toEntry(row), chunks: await this.listChunks(organizationId, backfillId) };
  }

  private async assertConnection(organizationId: string, connectionId: string): Promise<void> {
    const where = { id: connectionId, deletedAt: null };
    if (!(await this.tenants.of(organizationId).connection.findFirst({ where, select: { id: true } })))
      throw notFound('The connection');
  }

  /** The state of a chunk in the active run comes from its slices. */
  private listChunks(organizationId: string, backfillId: string): Promise<BackfillChunkEntry[]> {
    return this.tenants.query<BackfillChunkEntry & Record<string, unknown>>(
      organizationId,
      `select k.id, k.stream, k.account_id as "accountId", k.day_from as from, k.day_to as to, k.run_id as "runId", k.failure,
              case when k.state <> 'running' then k.state::text
                   when live.failed > 0 then 'failed' when live.running > 0 then 'running'
                   when live.done > 0 and live.done = live.total then 'done'
                   when live.done > 0 then 'running' else 'pending' end as state,
              case when k.state = 'running' then live.rows else k.rows::float8 end as rows
         from backfill_chunks k
        cross join lateral (
           select count(*) as total, count(*) filter (where s.state = 'failed') as failed,
                  count(*) filter (where s.state = 'running') as running, count(*) filter (where s.state = 'done') as done,
                  coalesce(sum(s.rows_found), 0)::float8 as rows
             from run_slices s
            where k.state = 'running' and s.organization_id = k.organization_id and s.run_id = k.run_id and s.stream = k.stream
              and s.account_id = k.account_id and s.day_from >= k.day_from and s.day_to <= k.day_to) live
        where k.organization_id = $1 and k.backfill_id = $2
        order by k.stream, k.account_id, k.day_to desc limit ${LIST_LIMITS.backfillChunks}`,
      [backfillId],
    );
  }
}

function toEntry(row: Row): BackfillEntry {
  const { chunksTotal, chunksDone, chunksFailed, daysTotal, daysDone, rows, activeSeconds, ...entry } = row;
  const daysPerSecond = activeSeconds > 0 ? daysDone / activeSeconds : 0;
  const isRunning = entry.state === 'running' && daysPerSecond > 0;
  return {
    ...entry,
    adjustedFrom: entry.adjustedReason === null ? null : entry.from,
    createdAt: entry.createdAt.toISOString(),
    startedAt: entry.startedAt?.toISOString() ?? null,
    endedAt: entry.endedAt?.toISOString() ?? null,
    progress: {
      ...{ chunksTotal, chunksDone, chunksFailed, daysTotal, daysDone, rows },
      rowsPerSecond: activeSeconds > 0 ? Math.round(rows / activeSeconds) : 0,
      secondsLeft: isRunning ? Math.ceil((daysTotal - daysDone) / daysPerSecond) : null,
    },
  };
}
