import { z } from 'zod';
import { newId } from '../../core/database/identifiers.js';
import { toJson } from '../../core/database/json-column.js';
import type { TenantQuery, TenantTransaction, TenantWork } from '../../core/database/tenant-database.js';
import { defineJob, queueJob } from '../../core/jobs/define-job.js';
import { type Message, signedPayload, slackPayload } from './messages.js';

/** Each endpoint uses at most one slot, so that a slow receiver delays only itself. */
export const deliverWebhook = defineJob(
  'deliver-webhook',
  z.object({ organizationId: z.uuid(), endpointId: z.uuid(), deliveryId: z.uuid() }),
  { slots: 'webhooks' },
);
type DeliveryJob = z.infer<typeof deliverWebhook.schema>;

/** Deliveries of one endpoint run one after the other, so that a slow receiver delays only itself. */
export const queueDelivery = (query: TenantQuery, job: DeliveryJob, runAt?: Date): Promise<void> =>
  queueJob(query, deliverWebhook, job, {
    key: `webhook:${job.deliveryId}`,
    queue: `webhook:${job.endpointId}`,
    ...(runAt ? { runAt } : {}),
  });

interface Receiver {
  id: string;
  kind: 'signed' | 'slack';
}

/** Enabled endpoints of rules. An endpoint in two rules is listed once. */
export const listReceivers = (transaction: TenantTransaction, ruleIds: string[]): Promise<Receiver[]> =>
  transaction.webhookEndpoint.findMany({
    where: { isEnabled: true, deletedAt: null, rules: { some: { id: { in: ruleIds } } } },
    orderBy: { id: 'asc' },
    select: { id: true, kind: true },
  });

/** Stores one delivery per receiver, and its job, in the transaction of the event. */
export async function storeDeliveries(
  { transaction, query }: TenantWork,
  organizationId: string,
  receivers: Receiver[],
  message: Message,
): Promise<string[]> {
  const eventId = newId();
  const deliveryIds: string[] = [];
  for (const { id: endpointId, kind } of receivers) {
    const deliveryId = newId();
    const payload = kind === 'slack' ? slackPayload(message) : signedPayload(message, eventId, organizationId, new Date());
    const { type: event, sequence } = message;
    const delivery = { id: deliveryId, endpointId, eventId, event, sequence, payload: toJson(payload) };
    await transaction.webhookDelivery.create({ data: { organizationId, ...delivery }, select: { id: true } });
    await queueDelivery(query, { organizationId, endpointId, deliveryId });
    deliveryIds.push(deliveryId);
  }
  return deliveryIds;
}

/** A webhook that is enabled again, or restored, does not get what it missed: it would be sent late. The endpoint is locked. */
export async function failQueuedDeliveries(
  { webhookDelivery }: TenantTransaction,
  endpointId: string,
  lastError: string,
): Promise<void> {
  const queued = { endpointId, state: 'queued' } as const;
  await webhookDelivery.updateMany({ where: { ...queued, lastError: null }, data: { lastError } });
  await webhookDelivery.updateMany({ where: queued, data: { state: 'failed' } });
}
