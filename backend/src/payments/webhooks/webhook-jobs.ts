import { z } from 'zod';
import { defineJob } from '../../core/jobs/define-job.js';

export const applyPaymentWebhooks = defineJob(
  'apply-payment-webhooks',
  z.object({ organizationId: z.uuid(), paymentId: z.uuid() }),
);
