import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { Database } from '../core/database/database.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { StripeApi } from './stripe-api.js';

/**
 * An event only says that there is something to ask for: kept by its id, and answered at once. What is in it is never believed,
 * for events come late, twice and out of order. Several of one customer make one job.
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
    // Somebody else's customer, or one of a database before this one.
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
  const thing = data.object as { object?: string; id?: string; customer?: string | { id: string } | null };
  const customer = thing.object === 'customer' ? thing.id : thing.customer;
  return typeof customer === 'string' ? customer : (customer?.id ?? null);
}
