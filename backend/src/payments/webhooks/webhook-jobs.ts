import { z } from 'zod';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import { defineJob, queueJob } from '../../core/jobs/define-job.js';

export const applyPaymentWebhooks = defineJob(
  'apply-payment-webhooks',
  z.object({ organizationId: z.uuid(), paymentId: z.uuid() }),
);

/** One job of a payment waits at a time. @param runAt undefined: as soon as possible */
export const queueApplyWebhooks = (query: TenantQuery, organizationId: string, paymentId: string, runAt?: Date): Promise<void> =>
  queueJob(
    query,
    applyPaymentWebhooks,
    { organizationId, paymentId },
    { key: `payment-webhooks:${paymentId}`, ...(runAt && { runAt }) },
  );
