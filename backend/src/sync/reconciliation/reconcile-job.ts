import { z } from 'zod';
import { defineJob } from '../../core/jobs/define-job.js';

export const RECONCILE = defineJob('reconcile-connection', z.object({ organizationId: z.uuid(), reconciliationId: z.uuid() }), {
  slots: 'audits',
});

export const reconcileKey = (reconciliationId: string): string => `reconcile:${reconciliationId}`;
/** One at a time for each app, because its quota is shared. */
export const reconcileQueue = (appId: string): string => `reconcile:${appId}`;
