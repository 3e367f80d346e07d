import { Injectable, type OnModuleInit } from '@nestjs/common';
import type Stripe from 'stripe';
import { DeleterService } from '../organizations/index.js';
import { queueJob } from '../core/jobs/define-job.js';
import { Jobs } from '../core/jobs/jobs.js';
import { type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';
import { StripeApi } from './stripe-api.js';
import { endBilling, endKey } from './subscription-jobs.js';
import { SyncSubscription } from './sync-subscription.js';

// SQL: runs in the transaction of the deletion, with its handle for SQL.

/** Nothing was paid for the present period, so nothing is left to use, and Stripe would try to charge it again. */
const OWED: Stripe.Subscription.Status[] = ['incomplete', 'past_due', 'unpaid'];

/**
 * Cancels the subscriptions of a deleted organization at the end of the paid period. A job does it, so that an outage of Stripe
 * does not block the deletion. After a restore, an owner can resume the subscription in the portal.
 */
@Injectable()
export class EndBilling implements OnModuleInit {
  constructor(
    private readonly deleters: DeleterService,
    private readonly jobs: Jobs,
    private readonly tenants: TenantDatabase,
    private readonly stripe: StripeApi,
    private readonly sync: SyncSubscription,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(endBilling, ({ organizationId }) => this.end(organizationId));
    this.deleters.inDeleteTransaction(queueEnd);
  }

  /** Reads the subscriptions from Stripe, because the stored row may be outdated. */
  private async end(organizationId: string): Promise<void> {
    await this.sync.sync(organizationId);
    const deleted = await this.tenants.of(organizationId).subscription.findFirst({
      where: { customerId: { not: null }, organization: { deletedAt: { not: null } } },
      select: { customerId: true },
    });
    if (!deleted?.customerId) return;
    // Checkout sessions first: a session that is paid now creates a subscription, which the list then contains.
    await this.closeCheckouts(deleted.customerId);
    const listed = await this.sync.list(deleted.customerId);
    const active = listed.filter((subscription) => subscription.ended_at === null && !isCanceled(subscription));
    for (const subscription of active) await this.endOne(subscription);
    if (active.length > 0) await this.sync.sync(organizationId);
  }

  private async closeCheckouts(customer: string): Promise<void> {
    const open = await this.stripe.call((stripe) =>
      stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }).autoPagingToArray({ limit: 1_000 }),
    );
    for (const { id } of open) await this.stripe.call((stripe) => stripe.checkout.sessions.expire(id));
  }

  private endOne({ id, status }: Stripe.Subscription): Promise<Stripe.Subscription> {
    if (OWED.includes(status)) return this.stripe.call((stripe) => stripe.subscriptions.cancel(id));
    return this.stripe.call((stripe) => stripe.subscriptions.update(id, { cancel_at_period_end: true }));
  }
}

/** Already canceled at the end of the paid period or earlier. An overdue one can be charged until then, so it does not count. */
const isCanceled = ({ status, cancel_at_period_end, cancel_at, items }: Stripe.Subscription): boolean =>
  !OWED.includes(status) &&
  (cancel_at_period_end || (cancel_at !== null && cancel_at <= (items.data[0]?.current_period_end ?? 0)));

async function queueEnd(query: TenantQuery, organizationId: string): Promise<void> {
  const billed = await query('select from subscriptions where organization_id = $1 and customer_id is not null');
  if (billed.length > 0) await queueJob(query, endBilling, { organizationId }, { key: endKey(organizationId) });
}
