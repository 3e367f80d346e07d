import { Injectable } from '@nestjs/common';
import { Entitlements } from '../../billing/index.js';
import type { Quota } from '../../connectors/kit/contract.js';
import { type ConnectorError, SubscriptionLapsed } from '../../connectors/kit/errors.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { readWaiting } from '../../read-models/index.js';
import type { Lease } from '../ledger/lease.js';
import { RunPostponed, RunStopped } from './run-errors.js';

/** A backfill leaves this share of a platform's quota to regular runs. */
const MOST_USED_PERCENT = 80;
/** Longest time between two looks at a quota that is almost used up. */
const QUOTA_WAIT_SECONDS = 900;
/** A regular run that waits for a slot for this long goes first. A free slot is taken at once. */
const SLOT_WAIT_SECONDS = 5;

/** Finds out before each slice of a run whether the run has to stop. */
@Injectable()
export class Interruptions {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly entitlements: Entitlements,
  ) {}

  /** Null: the run may continue. */
  async find(lease: Lease, quota: Quota | null): Promise<ConnectorError | null> {
    if (await this.entitlements.isClosed(lease.organizationId)) return lapsed();
    return lease.track === 'backfill' ? this.findOfBackfill(lease, quota) : null;
  }

  private async findOfBackfill({ organizationId, runId, resync }: Lease, quota: Quota | null): Promise<ConnectorError | null> {
    const row = await readWaiting(this.tenants, { organizationId, runId }, SLOT_WAIT_SECONDS);
    if (!row.isWanted) return stopped();
    // The runs of the connection wait for it.
    if (resync?.isSwap) return null;
    if (row.isSlotNeeded) return slotNeeded();
    return quota && quota.usedPercent >= MOST_USED_PERCENT ? quotaNeeded(quota) : null;
  }
}

const lapsed = (): SubscriptionLapsed =>
  new SubscriptionLapsed({
    code: 'subscription.required',
    message:
      'The subscription has lapsed, so the run has stopped. Nothing is deleted. The remaining days load automatically once it is active again.',
    action: 'Choose a plan',
  });

const stopped = (): RunStopped =>
  new RunStopped({
    code: 'sync.stopped',
    message: 'The backfill was paused or canceled. Loaded days stay.',
    action: 'Resume the backfill',
  });

const slotNeeded = (): RunPostponed =>
  new RunPostponed({ code: 'sync.slot_needed', message: 'A scheduled run goes first. The backfill continues after it.' }, 5);

function quotaNeeded({ usedPercent, resetAt }: Quota): RunPostponed {
  const untilReset = resetAt ? Math.ceil((resetAt.getTime() - Date.now()) / 1_000) : QUOTA_WAIT_SECONDS;
  const message = `${Math.round(usedPercent)} percent of the platform's quota is used. The rest is left to scheduled runs.`;
  return new RunPostponed({ code: 'sync.quota_needed', message }, Math.min(QUOTA_WAIT_SECONDS, Math.max(5, untilReset)));
}
