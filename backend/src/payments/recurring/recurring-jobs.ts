import { z } from 'zod';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import { defineJob, queueJob } from '../../core/jobs/define-job.js';

export const computeRecurringRevenue = defineJob(
  'compute-recurring-revenue',
  z.object({ organizationId: z.uuid(), paymentId: z.uuid() }),
);

/** Stripe sends several events for one change. They arrive within this time, and cause one computation. */
const GATHER_MS = 2_000;

export function queueRecurringRevenue(
  query: TenantQuery,
  organizationId: string,
  paymentId: string,
  isGathered = false,
): Promise<void> {
  const runAt = new Date(Date.now() + (isGathered ? GATHER_MS : 0));
  return queueJob(
    query,
    computeRecurringRevenue,
    { organizationId, paymentId },
    { key: `recurring-revenue:${paymentId}`, runAt },
  );
}
