import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { Database } from '../core/database/database.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { StripeApi } from './stripe-api.js';
import { queueSync } from './subscription-jobs.js';

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
    await this.tenants.write(organizationId, async (transaction, query) => {
      const createdAt = new Date(event.created * 1_000);
      const { count } = await transaction.stripeEvent.createMany({
        data: [{ organizationId, id: event.id, type: event.type, createdAt }],
        skipDuplicates: true,
      });
      if (count > 0) await queueSync(query, organizationId);
    });
  }

  private async findOrganization(customerId: string | null): Promise<string | null> {
    if (customerId === null) return null;
    const subscription = await this.database.prisma.subscription.findUnique({
      where: { customerId },
      select: { organizationId: true },
    });
    return subscription?.organizationId ?? null;
  }
}

function customerOf({ data }: Stripe.Event): string | null {
  const resource = data.object as { object?: string; id?: string; customer?: string | { id: string } | null };
  const customer = resource.object === 'customer' ? resource.id : resource.customer;
  return typeof customer === 'string' ? customer : (customer?.id ?? null);
}
