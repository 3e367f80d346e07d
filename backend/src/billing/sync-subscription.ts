import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type Stripe from 'stripe';
import { type Access, accessSql } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { databaseNow, DomainEvents } from '../core/jobs/domain-events.js';
import { Jobs } from '../core/jobs/jobs.js';
import { type TenantQuery, TenantDatabase, type TenantTransaction } from '../core/database/tenant-database.js';
import type { Plan } from './billing.dto.js';
import { planColumn } from './plan-column.js';
import { Prisma } from '../generated/prisma/client.js';
import { PlanCatalog } from './plan-catalog.js';
import { isMissing, StripeApi } from './stripe-api.js';
import { syncSubscription } from './subscription-jobs.js';
import { chooseSubscription, nextState, type SubscriptionState } from './subscription-state.js';

// SQL: locks the subscription, and reads the access rule (`accessSql`).

/** Maximum attempts. Each further attempt is caused by a concurrent sync of the same organization; more than two are rare. */
const MAX_ATTEMPTS = 20;

/** State at Stripe. Subscriptions are null when the customer does not exist. */
interface StripeState {
  subscriptions: Stripe.Subscription[] | null;
  isCustomerDeleted: boolean;
  plan: Plan | null;
}

interface LockedRow extends SubscriptionState {
  customerId: string | null;
  syncVersion: number;
  access: Access;
  hasSubscribed: boolean;
  [column: string]: unknown;
}

/** Copies the subscription state from Stripe. Used by webhooks, the success page, refreshes and the nightly job. */
@Injectable()
export class SyncSubscription implements OnModuleInit {
  private readonly access: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly events: DomainEvents,
    private readonly stripe: StripeApi,
    private readonly plans: PlanCatalog,
  ) {
    this.access = accessSql(env, 'subscriptions');
  }

  onModuleInit(): void {
    this.jobs.handle(syncSubscription, ({ organizationId }) => this.sync(organizationId));
  }

  /**
   * Reads the state from Stripe and stores it, unless a concurrent sync has stored another one since. Then this state may be
   * older, and is read again. This way the newest state is stored without a lock during the request to Stripe.
   */
  async sync(organizationId: string): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const before = await this.tenants.of(organizationId).subscription.findFirst({
        where: { organizationId },
        select: { customerId: true, syncVersion: true },
      });
      if (!before?.customerId) return;
      const answer = await this.fetch(before.customerId);
      if (await this.store(organizationId, before.syncVersion, answer)) return;
    }
    throw new Error(`the subscription of ${organizationId} changed ${MAX_ATTEMPTS} times during the sync with Stripe`);
  }

  private async fetch(customerId: string): Promise<StripeState> {
    try {
      const listed = await this.list(customerId);
      const isOver = chooseSubscription(listed)?.ended_at !== null;
      const isCustomerDeleted = isOver && (await this.isDeleted(customerId));
      // The first list may be from before the customer was deleted. After the deletion nothing changes.
      const subscriptions = isCustomerDeleted ? await this.list(customerId) : listed;
      const priceId = chooseSubscription(subscriptions)?.items.data[0]?.price.id;
      return { subscriptions, isCustomerDeleted, plan: priceId ? await this.plans.find(priceId) : null };
    } catch (error) {
      if (isMissing(error)) return { subscriptions: null, isCustomerDeleted: true, plan: null };
      throw error;
    }
  }

  /** All subscriptions of a customer, including ended ones. */
  list(customerId: string): Promise<Stripe.Subscription[]> {
    return this.stripe.call((stripe) =>
      stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 }).autoPagingToArray({ limit: 1_000 }),
    );
  }

  private async isDeleted(customerId: string): Promise<boolean> {
    const customer = await this.stripe.call((stripe) => stripe.customers.retrieve(customerId));
    return customer.deleted === true;
  }

  /** Returns false when a concurrent sync has stored its state since `expectedVersion` was read. */
  private store(organizationId: string, expectedVersion: number, answer: StripeState): Promise<boolean> {
    return this.tenants.write(organizationId, async (transaction, query) => {
      const previous = await this.lock(query);
      if (previous?.syncVersion !== expectedVersion) return false;
      const now = new Date();
      const { subscriptions } = answer;
      const next = subscriptions ? nextState(previous, subscriptions, now) : withoutCustomer(previous, now);
      await write(transaction, previous, next, answer);
      const access = await this.readAccess(query);
      if (previous.access === 'closed' && access !== 'closed') await this.reportOpened(query, organizationId);
      return true;
    });
  }

  private async lock(query: TenantQuery): Promise<LockedRow | undefined> {
    const [row] = await query<LockedRow>(
      `select customer_id as "customerId", sync_version as "syncVersion", subscription_id as "subscriptionId", status,
              price_id as "priceId", trial_ends_at as "trialEndsAt", current_period_end as "currentPeriodEnd",
              cancel_at_period_end as "cancelAtPeriodEnd", has_subscribed as "hasSubscribed",
              grace_ends_at as "graceEndsAt", closed_at as "closedAt",
              ${this.access} as access
         from subscriptions where organization_id = $1 for update`,
    );
    return row;
  }

  /** Connections that waited start runs. */
  private async reportOpened(query: TenantQuery, organizationId: string): Promise<void> {
    const openedAt = await databaseNow(query);
    await this.events.emit(query, 'access.opened', { organizationId, openedAt }, organizationId);
  }

  private async readAccess(query: TenantQuery): Promise<Access> {
    const [row] = await query<{ access: Access }>(
      `select ${this.access} as access from subscriptions where organization_id = $1`,
    );
    return row?.access ?? 'closed';
  }
}

/** Without the other columns of a locked row. */
const storedOf = (state: SubscriptionState): SubscriptionState => {
  const { subscriptionId, status, priceId, trialEndsAt, currentPeriodEnd, cancelAtPeriodEnd, graceEndsAt, closedAt } = state;
  return { subscriptionId, status, priceId, trialEndsAt, currentPeriodEnd, cancelAtPeriodEnd, graceEndsAt, closedAt };
};

/** The row is locked, so values that depend on the stored ones are computed here. */
async function write(
  transaction: TenantTransaction,
  previous: LockedRow,
  next: SubscriptionState,
  { plan, isCustomerDeleted }: StripeState,
): Promise<void> {
  const deleted = { customerId: null, lostCustomerId: previous.customerId, lastCheckoutSessionId: null };
  // A plan that could not be read is kept while the price is the same.
  const unknownPlan = previous.priceId === next.priceId ? {} : { plan: Prisma.DbNull };
  await transaction.subscription.updateMany({
    data: {
      ...storedOf(next),
      ...(plan ? { plan: planColumn.write(plan) } : unknownPlan),
      hasSubscribed: previous.hasSubscribed || next.subscriptionId !== null,
      syncedAt: new Date(),
      syncVersion: { increment: 1 },
      ...(isCustomerDeleted ? deleted : {}),
    },
  });
}

/** The customer was deleted at Stripe, and its subscriptions with it. */
const withoutCustomer = (previous: SubscriptionState, now: Date): SubscriptionState => ({
  ...previous,
  status: previous.subscriptionId === null ? 'none' : 'canceled',
  graceEndsAt: null,
  closedAt: previous.subscriptionId === null ? null : (previous.closedAt ?? now),
});
