import type { TenantWork } from '../../core/database/tenant-database.js';
import { releaseSwaps } from '../../sync/index.js';
import { failRunning } from '../settle-chunks.js';

/** Runs that ended without a stored swap. A failure ends the re-sync; otherwise another run follows. */
export async function settleSwaps({ transaction, query }: TenantWork, connectionId: string): Promise<void> {
  for (const { backfillId, failure, isBroken } of await releaseSwaps(query, connectionId))
    if (isBroken) await failRunning(transaction, backfillId, failure);
}
