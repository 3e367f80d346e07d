import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { Database } from '../core/database/database.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { StripeApi } from './stripe-api.js';

/**
 * Handles a webhook event: stores its id, queues a sync and returns immediately. The event's data is not used, because events can
 * be late, duplicated and out of order. Several events of one customer queue one job.
 */
@Injectable()
export class ReceiveEvent {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly stripe: StripeApi,
  ) {}

  async receive(bytes: unknown, signature: string | undefined): Promise<void> {
    const event = this.stripe.readEvent(bytes, signature);
    const organizationId = await this.findOrganization(customerOf(event));
    // A customer of another installation, or of a previous database.
    if (!organizationId) return;
    await this.tenants.query(
      organizationId,
      `with event as (
         insert into stripe_events (organization_id, id, type, created_at) values ($1, $2, $3, to_timestamp($4))
         on conflict (id) do nothing returning organization_id)
       select graphile_worker.add_job('sync-subscription', json_build_object('organizationId', organization_id),
                                      job_key => 'sync-subscription:' || organization_id) from event`,
      [event.id, event.type, event.created],
    );
  }

  private async findOrganization(customerId: string | null): Promise<string | null> {
    if (customerId === null) return null;
    const { rows } = await this.database.pool.query<{ organizationId: string }>({
      name: 'organization-of-customer',
      text: `select organization_id as "organizationId" from subscriptions where customer_id = $1`,
      values: [customerId],
    });
    return rows[0]?.organizationId ?? null;
  }
}

function customerOf({ data }: Stripe.Event): string | null {
  const resource = data.object as { object?: string; id?: string; customer?: string | { id: string } | null };
  const customer = resource.object === 'customer' ? resource.id : resource.customer;
  return typeof customer === 'string' ? customer : (customer?.id ?? null);
}
