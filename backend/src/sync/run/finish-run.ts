import type { RunState } from '../../generated/prisma/client.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { publishLive } from '../../core/database/notifications.js';
import type { TenantDatabase, TenantQuery } from '../../core/database/tenant-database.js';
import type { Lease } from '../ledger/lease.js';
import type { RunLedger } from '../ledger/run-ledger.js';
import type { RunLog } from '../ledger/run-log.js';
import type { ProgressReporter } from './run-progress.js';
import type { SliceSummary, SyncQueries } from '../ledger/sync.queries.js';

interface RunStores {
  readonly tenants: TenantDatabase;
  readonly ledger: RunLedger;
  readonly queries: SyncQueries;
  readonly log: RunLog;
}

/**
 * Ends the run by the state of its slices: `succeeded` only if every slice is done and the totals of source and destination are
 * equal.
 */
export async function finishRun(
  lease: Lease,
  progress: ProgressReporter,
  stores: RunStores,
  fatal: Failure | null = null,
): Promise<RunState> {
  if (!fatal) progress.enter('verify', 'verifying');
  const { organizationId } = lease;
  return stores.tenants.together(organizationId, async () => {
    const state = await endBySlices(lease, stores, fatal);
    const query: TenantQuery = (text, parameters) => stores.tenants.query(organizationId, text, parameters);
    await publishLive(query, progress.lastEvents(state));
    return state;
  });
}

async function endBySlices(lease: Lease, stores: RunStores, fatal: Failure | null): Promise<RunState> {
  if (!fatal) await stores.ledger.verifying(lease);
  const summary = await stores.queries.summarizeSlices(lease.organizationId, lease.runId);
  const state = fatal && summary.done === 0 ? 'failed' : endState(summary, fatal !== null);
  const failure =
    fatal ?? (state === 'succeeded' ? null : await stores.queries.findWorstFailure(lease.organizationId, lease.runId));
  await stores.log.write(lease, state === 'succeeded' ? 'info' : 'warn', sentence(state, summary));
  await stores.ledger.finish(lease, state, failure, verifyOf(summary));
  return state;
}

export function endState(summary: SliceSummary, isBroken: boolean): RunState {
  const isEqual = summary.rowsRead === summary.rowsFound && summary.costMicros === summary.costFound;
  // Without a finished slice nothing is verified.
  if (!isBroken && summary.total > 0 && summary.done === summary.total && isEqual) return 'succeeded';
  if (!isBroken && summary.unverified > 0 && summary.done + summary.unverified === summary.total) return 'unverified';
  return summary.done > 0 ? 'partial' : 'failed';
}

function verifyOf(summary: SliceSummary): object | null {
  if (summary.compared === 0) return null;
  return {
    rows: summary.rowsRead === summary.rowsFound,
    cost: summary.costMicros === summary.costFound,
    expected: { rows: Number(summary.rowsRead), costMicros: String(summary.costMicros) },
    found: { rows: Number(summary.rowsFound), costMicros: String(summary.costFound) },
  };
}

function sentence(state: RunState, summary: SliceSummary): string {
  const counted = `${summary.rowsRead} rows read, ${summary.rowsFound} found at the destination`;
  const lost = summary.failed + summary.skipped;
  if (state === 'succeeded') return `Every row verified: ${counted}.`;
  return state === 'unverified'
    ? `Ended unverified: ${counted}; ${summary.unverified} of ${summary.total} chunks are not verified yet.`
    : `Ended ${state}: ${counted}; ${lost} of ${summary.total} chunks were not loaded.`;
}
