import type Stripe from 'stripe';
import { decimalsOf } from '../connectors/catalog.js';
import { type Plan, SUBSCRIPTION_STATUSES, type SubscriptionStatusName } from './billing.dto.js';

/** Days after a failed payment before access is closed. */
export const GRACE_DAYS = 7;
const GRACE_MS = GRACE_DAYS * 86_400_000;

/** The stored part of Stripe's subscription. */
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

/** Of several subscriptions, the one with the most access counts. Among equal ones, the newest counts. */
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
 * Computes the stored state from the customer's subscriptions at Stripe. Two times are not from Stripe: when the product detected
 * a late payment, and when it detected that the subscription is unpaid or paused. Neither changes while the status is the same.
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
    // Flexible billing, Stripe's default since 2025-09-30.clover, sets only `cancel_at`.
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

/** The plan of a price with its expanded product. */
export function planOf(price: Stripe.Price): Plan {
  const { product } = price;
  const productName = typeof product === 'object' && 'name' in product ? product.name : null;
  return {
    name: productName ?? price.nickname ?? price.id,
    amountMinor: price.unit_amount,
    decimals: decimalsOf(price.currency),
    currency: price.currency.toUpperCase(),
    interval: price.recurring?.interval as Plan['interval'],
    intervalCount: price.recurring?.interval_count ?? 1,
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

/** Stripe can add new statuses. An unknown status gives no access. */
const statusOf = ({ status }: Stripe.Subscription): SubscriptionStatusName =>
  SUBSCRIPTION_STATUSES.find((known) => known === status) ?? 'paused';

const moment = (seconds: number | null): Date | null => (seconds === null ? null : new Date(seconds * 1_000));
