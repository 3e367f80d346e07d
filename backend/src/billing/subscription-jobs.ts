import { z } from 'zod';
import type { TenantQuery } from '../core/database/tenant-database.js';
import { defineJob, queueJob } from '../core/jobs/define-job.js';

const organization = z.object({ organizationId: z.uuid() });

/** Copies the state of the subscription from Stripe. */
export const syncSubscription = defineJob('sync-subscription', organization);
export const syncKey = (organizationId: string): string => `sync-subscription:${organizationId}`;

/** Cancels the subscriptions of a deleted organization, and continues those of a restored one. */
export const endBilling = defineJob('end-billing', organization);
export const endKey = (organizationId: string): string => `end-billing:${organizationId}`;

/** Several requests of one organization queue one job. */
export const queueSync = (query: TenantQuery, organizationId: string): Promise<void> =>
  queueJob(query, syncSubscription, { organizationId }, { key: syncKey(organizationId) });
