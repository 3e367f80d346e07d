import type Stripe from 'stripe';
import { type Plan, SUBSCRIPTION_STATUSES, type SubscriptionStatusName } from './billing.dto.js';

/** How long a payment may fail before anything stops. */
export const GRACE_DAYS = 7;
const GRACE_MS = GRACE_DAYS * 86_400_000;

/** What is remembered of Stripe's answer. */
export interface SubscriptionState {
  subscriptionId: string | null;
  status: SubscriptionStatusName;
  priceId: string | null;
  trialEndsAt: Date | null;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  graceEndsAt: Date | null;
  closedAt: Date | null;
}

export const NEVER_SUBSCRIBED: SubscriptionState = {
  subscriptionId: null,
  status: 'none',
  priceId: null,
  trialEndsAt: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  graceEndsAt: null,
  closedAt: null,
};

/** Of several subscriptions the one that opens most counts; among equals the newest. */
const BEST_FIRST: SubscriptionStatusName[] = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
  'canceled',
  'incomplete_expired',
];

/**
 * What becomes of our row when Stripe says that a customer has these subscriptions: the whole state machine. Only two moments are
 * ours: when we learned that a payment is late, and when we learned that it was given up. Neither moves while that stays so.
 */
export function nextState(previous: SubscriptionState, subscriptions: Stripe.Subscription[], now: Date): SubscriptionState {
  const chosen = chooseSubscription(subscriptions);
  if (!chosen) return NEVER_SUBSCRIBED;
  const status = statusOf(chosen);
  const isSame = previous.subscriptionId === chosen.id && previous.status === status;
  const [item] = chosen.items.data;
  return {
    subscriptionId: chosen.id,
    status,
    priceId: item?.price.id ?? null,
    trialEndsAt: moment(chosen.trial_end),
    currentPeriodEnd: moment(chosen.cancel_at ?? item?.current_period_end ?? null),
    // Flexible billing, Stripe's default since 2025-09-30.clover, names the moment alone.
    cancelAtPeriodEnd: chosen.cancel_at_period_end || chosen.cancel_at !== null,
    graceEndsAt: status === 'past_due' ? ((isSame ? previous.graceEndsAt : null) ?? new Date(now.getTime() + GRACE_MS)) : null,
    closedAt: closedAtOf(chosen, status, isSame ? previous : null, now),
  };
}

export function chooseSubscription(subscriptions: Stripe.Subscription[]): Stripe.Subscription | undefined {
  return subscriptions.toSorted(
    (left, right) => rankOf(left) - rankOf(right) || right.created - left.created || (left.id < right.id ? 1 : -1),
  )[0];
}

/** Name and money of a price whose product came with it. */
export function planOf(price: Stripe.Price): Plan {
  const { product } = price;
  const productName = typeof product === 'object' && 'name' in product ? product.name : null;
  return {
    name: productName ?? price.nickname ?? price.id,
    amountMinor: price.unit_amount ?? 0,
    currency: price.currency.toUpperCase(),
    interval: price.recurring?.interval as Plan['interval'],
  };
}

function closedAtOf(
  chosen: Stripe.Subscription,
  status: SubscriptionStatusName,
  same: SubscriptionState | null,
  now: Date,
): Date | null {
  if (status === 'canceled') return moment(chosen.ended_at ?? chosen.canceled_at);
  return status === 'unpaid' || status === 'paused' ? (same?.closedAt ?? now) : null;
}

const rankOf = (subscription: Stripe.Subscription): number => BEST_FIRST.indexOf(statusOf(subscription));

/** Stripe's list is open: a status of tomorrow opens nothing until we know it. */
const statusOf = ({ status }: Stripe.Subscription): SubscriptionStatusName =>
  SUBSCRIPTION_STATUSES.find((known) => known === status) ?? 'paused';

const moment = (seconds: number | null): Date | null => (seconds === null ? null : new Date(seconds * 1_000));
