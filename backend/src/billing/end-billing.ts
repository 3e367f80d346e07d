import { Injectable, type OnModuleInit } from '@nestjs/common';
import type Stripe from 'stripe';
import { DeleterService } from '../organizations/index.js';
import { queueJob } from '../core/jobs/define-job.js';
import { Jobs } from '../core/jobs/jobs.js';
import { type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';
import { StripeApi } from './stripe-api.js';
import { endBilling, endKey } from './subscription-jobs.js';
import { SyncSubscription } from './sync-subscription.js';

// SQL: runs in the transactions of the deletion and the restore, with their handles for SQL.

/** Marks a subscription that the deletion canceled. The value is when it would have ended otherwise, or `never`. */
const MARK = 'ended_by_deletion';

/** Nothing was paid for the present period, so nothing is left to use, and Stripe would try to charge it again. */
const OWED: Stripe.Subscription.Status[] = ['incomplete', 'past_due', 'unpaid'];

/**
 * Cancels the subscriptions of a deleted organization at the end of the paid period, and continues them after a restore. A job does
 * it, so that an outage of Stripe does not block the deletion.
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
    this.jobs.handle(endBilling, ({ organizationId }) => this.update(organizationId));
    this.deleters.inDeleteTransaction(queueUpdate);
    this.deleters.inRestoreTransaction(queueUpdate);
  }

  /**
   * Repeats when the organization was deleted or restored in the meantime, because the job of that change can have run before the
   * last request of this one. Syncs first, because the stored customer may be outdated.
   */
  private async update(organizationId: string): Promise<void> {
    await this.sync.sync(organizationId);
    let applied: boolean | null = null;
    for (;;) {
      const found = await this.tenants.of(organizationId).subscription.findFirst({
        where: { customerId: { not: null } },
        select: { customerId: true, organization: { select: { deletedAt: true } } },
      });
      if (!found?.customerId) return;
      const isDeleted = found.organization.deletedAt !== null;
      if (isDeleted === applied) return;
      const hasChanged = isDeleted ? await this.end(found.customerId) : await this.resume(found.customerId);
      if (hasChanged) await this.sync.sync(organizationId);
      applied = isDeleted;
    }
  }

  private async end(customerId: string): Promise<boolean> {
    // Checkout sessions first: a session that is paid now creates a subscription, which the list then contains.
    await this.closeCheckouts(customerId);
    const listed = await this.sync.list(customerId);
    const active = listed.filter((subscription) => subscription.ended_at === null && !isCanceled(subscription));
    for (const subscription of active) await this.endOne(subscription);
    return active.length > 0;
  }

  private async resume(customerId: string): Promise<boolean> {
    const listed = await this.sync.list(customerId);
    const marked = listed.filter(({ ended_at, metadata }) => ended_at === null && metadata[MARK] !== undefined);
    for (const subscription of marked) await this.resumeOne(subscription);
    return marked.length > 0;
  }

  private async closeCheckouts(customer: string): Promise<void> {
    const open = await this.stripe.call((stripe) =>
      stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }).autoPagingToArray({ limit: 1_000 }),
    );
    for (const { id } of open) await this.stripe.call((stripe) => stripe.checkout.sessions.expire(id));
  }

  private endOne({ id, status, cancel_at }: Stripe.Subscription): Promise<Stripe.Subscription> {
    if (OWED.includes(status)) return this.stripe.call((stripe) => stripe.subscriptions.cancel(id));
    const metadata = { [MARK]: String(cancel_at ?? 'never') };
    return this.stripe.call((stripe) => stripe.subscriptions.update(id, { cancel_at_period_end: true, metadata }));
  }

  /** The mark is removed last, so that a repetition after an error knows what is left to do. */
  private async resumeOne({ id, metadata }: Stripe.Subscription): Promise<void> {
    const endsAt = Number(metadata[MARK]);
    await this.stripe.call((stripe) => stripe.subscriptions.update(id, { cancel_at_period_end: false }));
    const unmarked = { metadata: { [MARK]: '' }, ...(Number.isNaN(endsAt) ? {} : { cancel_at: endsAt }) };
    await this.stripe.call((stripe) => stripe.subscriptions.update(id, unmarked));
  }
}

/** Already canceled at the end of the paid period or earlier. An overdue one can be charged until then, so it does not count. */
const isCanceled = ({ status, cancel_at_period_end, cancel_at, items }: Stripe.Subscription): boolean =>
  !OWED.includes(status) &&
  (cancel_at_period_end || (cancel_at !== null && cancel_at <= (items.data[0]?.current_period_end ?? 0)));

async function queueUpdate(query: TenantQuery, organizationId: string): Promise<void> {
  const billed = await query('select from subscriptions where organization_id = $1 and customer_id is not null');
  if (billed.length > 0) await queueJob(query, endBilling, { organizationId }, { key: endKey(organizationId) });
}
