import type { PlatformEvent } from '../../connectors/kit/connector.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { DomainEvents } from '../../core/jobs/domain-events.js';
import { lockPayment } from '../lock-payment.js';
import { queueRecurringRevenue } from '../recurring/recurring-jobs.js';
import { queueApplyWebhooks } from './webhook-jobs.js';
import { daysOf } from './webhook-events.js';

// SQL: many events in one statement (unnest) that keeps the first delivery and returns the changed rows.

/**
 * Stores events that are new and queues the job that marks their days. Returns the number of events that no webhook had delivered.
 * @param deliveredAt null: found in Stripe's list
 */
export async function storeEvents(
  query: TenantQuery,
  { id, organizationId, appId }: { id: string; organizationId: string; appId: string },
  domainEvents: DomainEvents,
  events: PlatformEvent[],
  deliveredAt: Date | null,
): Promise<number> {
  // The job that applies events locks the payment before them too.
  await lockPayment(query, id);
  // In the order of their ids, so that two transactions with the same events do not wait for each other in a circle.
  const sorted = events.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const added = await query(
    `insert into payment_webhook_events (organization_id, payment_id, id, type, happened_at, days, delivered_at)
     select $1, $2, new.id, new.type, to_timestamp(new.created), string_to_array(new.days, ',')::date[], $7
       from unnest($3::text[], $4::text[], $5::float8[], $6::text[]) as new(id, type, created, days)
     on conflict (organization_id, payment_id, id)
       do update set delivered_at = coalesce(payment_webhook_events.delivered_at, excluded.delivered_at)
        where payment_webhook_events.delivered_at is null and excluded.delivered_at is not null
     returning id`,
    [
      id,
      sorted.map((event) => event.id),
      sorted.map(({ type }) => type),
      sorted.map(({ created }) => created),
      sorted.map((event) => daysOf(event).join(',')),
      deliveredAt,
    ],
  );
  if (added.length > 0) {
    await queueApplyWebhooks(query, organizationId, id);
    if (events.some(({ type }) => type.startsWith('customer.subscription.')))
      await queueRecurringRevenue(query, organizationId, id, true);
    await domainEvents.emit(query, 'payment.received', { organizationId, appId }, appId);
  }
  return added.length;
}
