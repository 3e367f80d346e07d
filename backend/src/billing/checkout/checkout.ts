import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { Problem } from '../../core/http/problem.js';
import { SingleFlight } from '../../core/jobs/single-flight.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { Checkout, Portal, SubscriptionStatusName } from '../billing.dto.js';
import { CheckoutSessions } from './checkout-sessions.js';
import { Customers } from '../customers/customers.service.js';
import { StripeApi } from '../stripe-api.js';
import { SyncSubscription } from '../sync-subscription.js';

/** Statuses without a subscription that could be charged in addition to a new one. */
const FREE_TO_SUBSCRIBE: SubscriptionStatusName[] = ['none', 'canceled', 'incomplete_expired'];
export const SUBSCRIBED: SubscriptionStatusName[] = ['trialing', 'active', 'past_due'];

interface BillingRow {
  customerId: string | null;
  status: SubscriptionStatusName;
}

const NOTHING_YET: BillingRow = { customerId: null, status: 'none' };

/** Opens Stripe's checkout and customer portal. */
@Injectable()
export class CheckoutPages {
  /** Concurrent requests in this process share one checkout session. */
  private readonly opening = new SingleFlight<Checkout>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly stripe: StripeApi,
    private readonly customers: Customers,
    private readonly sessions: CheckoutSessions,
    private readonly sync: SyncSubscription,
    private readonly audit: AuditService,
  ) {}

  async openCheckout(actor: Actor): Promise<Checkout> {
    await this.customers.assertCanUse(actor);
    const { organizationId } = actor;
    return this.opening.share(organizationId, () => this.open(actor));
  }

  async openPortal(actor: Actor): Promise<Portal> {
    const { organizationId } = actor;
    this.stripe.assertOn();
    const { customerId } = await this.read(organizationId);
    if (!customerId) {
      throw new Problem('subscription.no_customer', { detail: 'The organization has no plan.', action: 'Choose a plan' });
    }
    const return_url = `${this.env.PUBLIC_URL}/${organizationId}/subscription`;
    const { url } = await this.stripe.call((stripe) =>
      stripe.billingPortal.sessions.create({ customer: customerId, return_url }),
    );
    await this.audit.record(actor, { action: 'billing.portal_opened', target: { type: 'customer', id: customerId } });
    return { url };
  }

  /** Syncs with Stripe first, because a late webhook must not cause a second payment. An open checkout session is reused. */
  private async open(actor: Actor): Promise<Checkout> {
    const { organizationId } = actor;
    await this.sync.sync(organizationId);
    const { status } = await this.read(organizationId);
    if (!FREE_TO_SUBSCRIBE.includes(status)) {
      const detail = SUBSCRIBED.includes(status)
        ? 'The organization already has a subscription.'
        : 'The organization already has a subscription with an open payment.';
      throw new Problem('subscription.exists', { detail, action: 'Change it in the portal' });
    }
    return this.sessions.open(actor, await this.customers.ensure(actor));
  }

  private async read(organizationId: string): Promise<BillingRow> {
    const subscriptions = this.tenants.of(organizationId).subscription;
    const row = await subscriptions.findFirst({ where: { organizationId }, select: { customerId: true, status: true } });
    return row ?? NOTHING_YET;
  }
}
