import { attachCard, type Card } from './cards.ts';
import { daySeconds, periodEnd } from './calendar.ts';
import { changeSubscription, collect } from './billing.ts';
import { subscriptionConstants, subscriptionItemConstants } from './constants.ts';
import { emit } from './events.ts';
import { newId } from './ids.ts';
import { createInvoice } from './invoices.ts';
import type { Customer, Metadata, Price, Subscription, SubscriptionItem } from './objects.ts';
import type { StripeState } from './state.ts';

export interface SubscriptionRequest {
  customer: Customer;
  price: Price;
  quantity: number;
  trialDays: number | null;
  missingPaymentMethod: string;
  metadata: Metadata;
  /** A new card, which becomes the subscription's own. */
  card?: Card;
  defaultPaymentMethod?: string | null;
  /** False: the first payment waits until a user pays the invoice. */
  isChargedNow: boolean;
}

/** As at Stripe, a subscription without a trial starts as incomplete, and its first payment activates it. */
export function subscribe(state: StripeState, request: SubscriptionRequest, at: number): Subscription {
  const subscription = build(request, at);
  if (request.card) attachCard(state, request.customer, request.card, at, subscription);
  state.subscriptions.set(subscription.id, subscription);
  request.customer.currency ??= request.price.currency;
  emit(state, 'customer.subscription.created', subscription, at);
  const isTrial = subscription.status === 'trialing';
  const invoice = createInvoice(state, subscription, 'subscription_create', at, isTrial ? { amount: 0 } : {});
  changeSubscription(state, subscription, { latest_invoice: invoice.id }, at);
  if (isTrial || request.isChargedNow) collect(state, invoice, at, 'asked');
  return subscription;
}

function build(request: SubscriptionRequest, at: number): Subscription {
  const { customer, price, metadata } = request;
  const id = newId('sub_');
  const trialEnd = request.trialDays ? at + request.trialDays * daySeconds : null;
  const end = trialEnd ?? periodEnd(at, price.recurring, at);
  return {
    ...subscriptionConstants,
    id,
    object: 'subscription',
    billing_cycle_anchor: trialEnd ?? at,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    created: at,
    currency: price.currency,
    customer: customer.id,
    default_payment_method: request.defaultPaymentMethod ?? null,
    ended_at: null,
    items: {
      ...{ object: 'list', has_more: false, url: `/v1/subscription_items?subscription=${id}` },
      ...{ total_count: 1, data: [buildItem(id, price, request.quantity, at, end)] },
    },
    latest_invoice: null,
    metadata,
    start_date: at,
    status: trialEnd ? 'trialing' : 'incomplete',
    trial_end: trialEnd,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: request.missingPaymentMethod } },
    trial_start: trialEnd ? at : null,
  };
}

function buildItem(subscription: string, price: Price, quantity: number, start: number, end: number): SubscriptionItem {
  return {
    ...subscriptionItemConstants,
    ...{ plan: planOf(price) },
    id: newId('si_', 14),
    object: 'subscription_item',
    created: start,
    current_period_end: end,
    current_period_start: start,
    price: structuredClone(price),
    quantity,
    subscription,
  };
}

/** The older form of a price, which items still contain. */
function planOf(price: Price): object {
  const { id, active, created, currency, metadata, nickname, product, unit_amount, recurring } = price;
  return {
    ...{ id, object: 'plan', active, amount: unit_amount, amount_decimal: String(unit_amount), billing_scheme: 'per_unit' },
    ...{ created, currency, interval: recurring.interval, interval_count: recurring.interval_count, livemode: false },
    ...{ metadata, meter: null, nickname, product, tiers_mode: null, transform_usage: null, trial_period_days: null },
    usage_type: 'licensed',
  };
}
