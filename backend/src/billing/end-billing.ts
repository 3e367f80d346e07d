import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { DeleterService } from '../organizations/deleter.service.js';
import { Jobs } from '../platform/jobs.js';
import { TenantDoor } from '../platform/tenant.js';
import { StripeApi } from './stripe-api.js';
import { SyncSubscription } from './sync-subscription.js';

const payloadSchema = z.object({ organizationId: z.uuid() });

/**
 * Nobody pays for a deleted organization: its subscription ends with what is paid already. By a job, so that an outage of
 * Stripe's keeps nobody from deleting. Who restores the organization takes it back in the portal.
 */
@Injectable()
export class EndBilling implements OnModuleInit {
  constructor(
    private readonly deleters: DeleterService,
    private readonly jobs: Jobs,
    private readonly tenants: TenantDoor,
    private readonly stripe: StripeApi,
    private readonly sync: SyncSubscription,
  ) {}

  onModuleInit(): void {
    this.jobs.register('end-billing', (payload) => this.end(payloadSchema.parse(payload).organizationId));
    this.deleters.registerStopper((organizationId) => this.ask(organizationId));
  }

  private async ask(organizationId: string): Promise<void> {
    const [billed] = await this.tenants.query(
      organizationId,
      'select organization_id from subscriptions where organization_id = $1 and customer_id is not null',
    );
    if (billed) await this.jobs.add('end-billing', { organizationId }, { key: `end-billing:${organizationId}` });
  }

  private async end(organizationId: string): Promise<void> {
    const [living] = await this.tenants.query<{ subscriptionId: string }>(
      organizationId,
      `select s.subscription_id as "subscriptionId"
         from subscriptions s join organizations o on o.id = s.organization_id and o.deleted_at is not null
        where s.organization_id = $1 and s.subscription_id is not null and not s.cancel_at_period_end
          and s.status not in ('canceled', 'incomplete_expired')`,
    );
    if (!living) return;
    await this.stripe.call((stripe) => stripe.subscriptions.update(living.subscriptionId, { cancel_at_period_end: true }));
    await this.sync.sync(organizationId);
  }
}
