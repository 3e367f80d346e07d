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

/** Each round somebody has written: only a storm of calls for one organization takes more than two. */
const MOST_ROUNDS = 20;

/** Stripe's own answer. Subscriptions are null when not even the customer is known there any more. */
interface StripeAnswer {
  subscriptions: Stripe.Subscription[] | null;
  isCustomerGone: boolean;
  plan: Plan | null;
}

interface LockedRow extends SubscriptionState {
  customerId: string | null;
  syncVersion: number;
  access: Access;
  [column: string]: unknown;
}

/** The one way Stripe's state becomes ours, whoever asks: webhook, success page, refresh and the nightly round. */
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
   * Asks Stripe anew and keeps the answer, unless somebody wrote another one meanwhile: ours may then be the older, and is asked for
   * again. So the last one written was asked for after all others were written, without a lock held while Stripe answers.
   */
  async sync(organizationId: string): Promise<void> {
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      const [before] = await this.tenants.query<{ customerId: string | null; syncVersion: number }>(
        organizationId,
        `select customer_id as "customerId", sync_version as "syncVersion" from subscriptions where organization_id = $1`,
      );
      if (!before?.customerId) return;
      const answer = await this.ask(before.customerId);
      if (await this.keep(organizationId, before.syncVersion, answer)) return;
    }
    throw new Error(`the subscription of ${organizationId} changed ${MOST_ROUNDS} times while Stripe was asked`);
  }

  private async ask(customerId: string): Promise<StripeAnswer> {
    try {
      const listed = await this.list(customerId);
      const isOver = chooseSubscription(listed)?.ended_at !== null;
      const isCustomerGone = isOver && (await this.isGone(customerId));
      // What was listed may be from before the customer was deleted; after it nothing changes any more.
      const subscriptions = isCustomerGone ? await this.list(customerId) : listed;
      const priceId = chooseSubscription(subscriptions)?.items.data[0]?.price.id;
      return { subscriptions, isCustomerGone, plan: priceId ? await this.plans.find(priceId) : null };
    } catch (error) {
      if (isMissing(error)) return { subscriptions: null, isCustomerGone: true, plan: null };
      throw error;
    }
  }

  /** All that a customer ever had. */
  list(customerId: string): Promise<Stripe.Subscription[]> {
    return this.stripe.call((stripe) =>
      stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 }).autoPagingToArray({ limit: 1_000 }),
    );
  }

  private async isGone(customerId: string): Promise<boolean> {
    const customer = await this.stripe.call((stripe) => stripe.customers.retrieve(customerId));
    return customer.deleted === true;
  }

  /** False when another answer was written since ours was asked for. */
  private keep(organizationId: string, askedAtVersion: number, answer: StripeAnswer): Promise<boolean> {
    return this.tenants.transaction(organizationId, async (query) => {
      const previous = await this.lock(query);
      if (previous?.syncVersion !== askedAtVersion) return false;
      const now = new Date();
      const { subscriptions } = answer;
      const next = subscriptions ? nextState(previous, subscriptions, now) : withoutCustomer(previous, now);
      const access = await this.write(query, next, answer);
      if (previous.access === 'closed' && access !== 'closed') await tellOpened(query);
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

  private async write(query: TenantQuery, next: SubscriptionState, { plan, isCustomerGone }: StripeAnswer): Promise<Access> {
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
        isCustomerGone,
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

/** In the transaction of the change, so that what waited goes on exactly when it may. */
async function tellOpened(query: TenantQuery): Promise<void> {
  await query(
    `select graphile_worker.add_job('access-opened', json_build_object('organizationId', organization_id, 'openedAt', now()),
                                    job_key => 'access-opened:' || organization_id)
       from subscriptions where organization_id = $1`,
  );
}
