import type { Failure } from '../../core/http/failure.dto.js';
import type { TenantQuery, TenantTransaction } from '../../core/database/tenant-database.js';

// SQL: releases swaps by the state of their runs, and returns the changed rows.

/** @param resync `table`: name of the new table, without the prefix of the destination */
export const insertResync = (
  transaction: TenantTransaction,
  resync: { organizationId: string; backfillId: string; table: string },
): Promise<unknown> => transaction.resync.create({ data: resync, select: { backfillId: true } });

export const setSwapRun = (transaction: TenantTransaction, backfillId: string, swapRunId: string): Promise<unknown> =>
  transaction.resync.updateMany({ where: { backfillId }, data: { swapRunId } });

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
export async function setDropped(transaction: TenantTransaction, backfillId: string): Promise<void> {
  await transaction.resyncDay.deleteMany({ where: { backfillId } });
  await transaction.resync.updateMany({ where: { backfillId }, data: { droppedAt: new Date() } });
}
