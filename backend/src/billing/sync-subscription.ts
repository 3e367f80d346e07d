import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type Stripe from 'stripe';
import { z } from 'zod';
import { type Access, accessSql } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { Jobs } from '../core/jobs/jobs.js';
import { type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';
import type { Plan } from './billing.dto.js';
import { PlanCatalog } from './plan-catalog.js';
import { isMissing, StripeApi } from './stripe-api.js';
import { chooseSubscription, nextState, type SubscriptionState } from './subscription-state.js';

const payloadSchema = z.object({ organizationId: z.uuid() });

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
    private readonly stripe: StripeApi,
    private readonly plans: PlanCatalog,
  ) {
    this.access = accessSql(env, 'subscriptions');
  }

  onModuleInit(): void {
    this.jobs.register('sync-subscription', (payload) => this.sync(payloadSchema.parse(payload).organizationId));
  }

  /**
   * Reads the state from Stripe and stores it, unless a concurrent sync has stored another one since. Then this state may be
   * older, and is read again. This way the newest state is stored without a lock during the request to Stripe.
   */
  async sync(organizationId: string): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const [before] = await this.tenants.query<{ customerId: string | null; syncVersion: number }>(
        organizationId,
        `select customer_id as "customerId", sync_version as "syncVersion" from subscriptions where organization_id = $1`,
      );
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
    return this.tenants.transaction(organizationId, async (query) => {
      const previous = await this.lock(query);
      if (previous?.syncVersion !== expectedVersion) return false;
      const now = new Date();
      const { subscriptions } = answer;
      const next = subscriptions ? nextState(previous, subscriptions, now) : withoutCustomer(previous, now);
      const access = await this.write(query, next, answer);
      if (previous.access === 'closed' && access !== 'closed') await queueAccessOpened(query);
      return true;
    });
  }

  private async lock(query: TenantQuery): Promise<LockedRow | undefined> {
    const [row] = await query<LockedRow>(
      `select customer_id as "customerId", sync_version as "syncVersion", subscription_id as "subscriptionId", status,
              price_id as "priceId", trial_ends_at as "trialEndsAt", current_period_end as "currentPeriodEnd",
              cancel_at_period_end as "cancelAtPeriodEnd", grace_ends_at as "graceEndsAt", closed_at as "closedAt",
              ${this.access} as access
         from subscriptions where organization_id = $1 for update`,
    );
    return row;
  }

  private async write(query: TenantQuery, next: SubscriptionState, { plan, isCustomerDeleted }: StripeState): Promise<Access> {
    const [row] = await query<{ access: Access }>(
      `update subscriptions
          set subscription_id = $2::text, has_subscribed = has_subscribed or $2::text is not null, status = $3,
              price_id = $4::text,
              plan = coalesce($5::jsonb, case when price_id is not distinct from $4::text then plan end), trial_ends_at = $6,
              current_period_end = $7, cancel_at_period_end = $8, grace_ends_at = $9, closed_at = $10, synced_at = now(),
              sync_version = sync_version + 1,
              customer_id = case when $11 then null else customer_id end,
              lost_customer_id = case when $11 then customer_id else lost_customer_id end,
              last_checkout_session_id = case when $11 then null else last_checkout_session_id end
        where organization_id = $1 returning ${this.access} as access`,
      [
        next.subscriptionId,
        next.status,
        next.priceId,
        plan && JSON.stringify(plan),
        next.trialEndsAt,
        next.currentPeriodEnd,
        next.cancelAtPeriodEnd,
        next.graceEndsAt,
        next.closedAt,
        isCustomerDeleted,
      ],
    );
    return row?.access ?? 'closed';
  }
}

/** The customer was deleted at Stripe, and its subscriptions with it. */
const withoutCustomer = (previous: SubscriptionState, now: Date): SubscriptionState => ({
  ...previous,
  status: previous.subscriptionId === null ? 'none' : 'canceled',
  graceEndsAt: null,
  closedAt: previous.subscriptionId === null ? null : (previous.closedAt ?? now),
});

/** Queues a job in the transaction of the change, so that paused connections resume when access opens. */
async function queueAccessOpened(query: TenantQuery): Promise<void> {
  await query(
    `select graphile_worker.add_job('access-opened', json_build_object('organizationId', organization_id, 'openedAt', now()),
                                    job_key => 'access-opened:' || organization_id)
       from subscriptions where organization_id = $1`,
  );
}
