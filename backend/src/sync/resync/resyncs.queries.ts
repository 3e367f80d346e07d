import type { Failure } from '../../core/http/failure.dto.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';

// SQL: `backfills` calls these in transactions that lock the connection, which Prisma cannot.

/** @param table name of the new table, without the prefix of the destination */
export const insertResync = (query: TenantQuery, backfillId: string, table: string): Promise<unknown> =>
  query('insert into resyncs (organization_id, backfill_id, table_name) values ($1, $2, $3)', [backfillId, table]);

export const setSwapRun = (query: TenantQuery, backfillId: string, runId: string): Promise<unknown> =>
  query('update resyncs set swap_run_id = $3 where organization_id = $1 and backfill_id = $2', [backfillId, runId]);

export interface ReleasedSwap extends Record<string, unknown> {
  backfillId: string;
  failure: Failure | null;
  /** The run failed. Otherwise another one may follow. */
  isBroken: boolean;
}

/** Releases the swaps whose run ended without storing them. A swap that was applied but not stored is recognized by the next run. */
export const releaseSwaps = (query: TenantQuery, connectionId: string): Promise<ReleasedSwap[]> =>
  query<ReleasedSwap>(
    `update resyncs s set swap_run_id = null, swap_started_at = null
       from backfills b, runs r
      where s.organization_id = $1 and s.swapped_at is null and b.organization_id = $1 and b.id = s.backfill_id and b.connection_id = $2
        and r.organization_id = $1 and r.id = s.swap_run_id and r.ended_at is not null
     returning s.backfill_id as "backfillId", r.failure, r.state in ('failed', 'partial', 'unverified') as "isBroken"`,
    [connectionId],
  );

/** The new table of a canceled re-sync was dropped. */
export async function setDropped(query: TenantQuery, backfillId: string): Promise<void> {
  await query('delete from resync_days where organization_id = $1 and backfill_id = $2', [backfillId]);
  await query('update resyncs set dropped_at = now() where organization_id = $1 and backfill_id = $2', [backfillId]);
}
