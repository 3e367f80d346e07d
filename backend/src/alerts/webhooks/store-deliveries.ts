import { z } from 'zod';
import { newId } from '../../core/database/identifiers.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import { defineJob, queueJob } from '../../core/jobs/define-job.js';
import { type Message, signedPayload, slackPayload } from './messages.js';

// SQL: a receiver of several rules once, in one statement.

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

interface Receiver extends Record<string, unknown> {
  id: string;
  kind: 'signed' | 'slack';
}

/** Enabled endpoints of rules. An endpoint in two rules is listed once. */
export const listReceivers = (query: TenantQuery, ruleIds: string[]): Promise<Receiver[]> =>
  query<Receiver>(
    `select distinct e.id, e.kind from webhook_endpoints e
       join notification_rules r on r.organization_id = e.organization_id and r.endpoint_id = e.id
      where e.organization_id = $1 and e.is_enabled and r.id = any($2::uuid[]) order by e.id`,
    [ruleIds],
  );

/** Stores one delivery per receiver, and its job, in the transaction of the event. */
export async function storeDeliveries(
  query: TenantQuery,
  organizationId: string,
  receivers: Receiver[],
  message: Message,
): Promise<string[]> {
  const eventId = newId();
  const deliveryIds: string[] = [];
  for (const { id: endpointId, kind } of receivers) {
    const deliveryId = newId();
    const payload = kind === 'slack' ? slackPayload(message) : signedPayload(message, eventId, organizationId, new Date());
    await query(
      `insert into webhook_deliveries (organization_id, id, endpoint_id, event_id, event, payload) values ($1, $2, $3, $4, $5, $6)`,
      [deliveryId, endpointId, eventId, message.type, JSON.stringify(payload)],
    );
    await queueDelivery(query, { organizationId, endpointId, deliveryId });
    deliveryIds.push(deliveryId);
  }
  return deliveryIds;
}
