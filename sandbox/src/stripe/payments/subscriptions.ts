import { InvalidFault } from '../../faults.ts';
import { daySeconds, periodEnd } from '../calendar.ts';
import { subscriptionConstants, subscriptionItemConstants } from '../constants.ts';
import type { PaymentAccount } from './account.ts';
import { addDiscount, addPrice, type DiscountRequest, type PriceRequest } from './catalog.ts';
import { roundTo } from './currencies.ts';
import { addInvoice, payInvoice } from './invoices.ts';
import type { Customer, Price, Subscription, SubscriptionItem } from './objects.ts';

export type ItemRequest = Omit<PriceRequest, 'at' | 'currency'> & { quantity: number };

export interface SubscriptionRequest {
  at: number;
  customer: Customer;
  currency: string;
  items: ItemRequest[];
  trialDays: number;
  discounts: DiscountRequest[];
  isDeclined: boolean;
  exchangeRate: number | null;
  /** It started this many days before it was created. */
  backdatedDays: number;
}

/** A subscription with its prices, its first invoice and that invoice's payment. */
export function startSubscription(account: PaymentAccount, request: SubscriptionRequest): Subscription {
  const { at, customer, currency, trialDays, exchangeRate, isDeclined } = request;
  const id = account.newId('sub_');
  const trialEnd = trialDays > 0 ? at + trialDays * daySeconds : null;
  const trial_settings = { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } };
  const items = request.items.map((item) => buildItem(account, id, item, { at, currency, trialEnd }));
  const subscription = account.subscriptions.add({
    ...{ ...subscriptionConstants, default_payment_method: null, trial_settings },
    id,
    object: 'subscription',
    ...{ billing_cycle_anchor: trialEnd ?? at, cancel_at: null, cancel_at_period_end: false, canceled_at: null },
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    ...{ created: at, currency, customer: customer.id, ended_at: null, latest_invoice: null },
    discounts: request.discounts.map((discount) => addDiscount(account, { id, currency }, discount, at).id),
    items: listOf(id, items),
    ...{ livemode: account.identity.isLive, metadata: {}, pause_collection: null },
    start_date: at - request.backdatedDays * daySeconds,
    ...{ status: trialEnd ? 'trialing' : 'incomplete', trial_end: trialEnd, trial_start: trialEnd ? at : null },
  });
  account.emit('customer.subscription.created', subscription, at);
  const isPaid = bill(account, subscription, 'subscription_create', { at, isDeclined, exchangeRate, isFree: trialEnd !== null });
  if (isPaid && trialEnd === null) changeSubscription(account, subscription, { status: 'active' }, at);
  return subscription;
}

/** Starts the next period of every item and charges it. */
export function renew(
  account: PaymentAccount,
  subscription: Subscription,
  { at, isDeclined, exchangeRate }: { at: number; isDeclined: boolean; exchangeRate: number | null },
): void {
  requireRunning(subscription);
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: at,
    current_period_end: periodEnd(at, item.price.recurring, at),
  }));
  changeSubscription(account, subscription, { items: listOf(subscription.id, data), billing_cycle_anchor: at }, at);
  const isPaid = bill(account, subscription, 'subscription_cycle', { at, isDeclined, exchangeRate, isFree: false });
  changeSubscription(account, subscription, { status: isPaid ? 'active' : 'past_due' }, at);
}

export interface SubscriptionChange {
  /** Of the first item. */
  quantity?: number | undefined;
  amount?: number | undefined;
  status?: string | undefined;
  isPaused?: boolean | undefined;
}

/** Another price, quantity or status, without an invoice for the rest of the period. */
export function reviseSubscription(
  account: PaymentAccount,
  subscription: Subscription,
  { quantity, amount, status, isPaused }: SubscriptionChange,
  at: number,
): void {
  requireRunning(subscription);
  const [first, ...others] = subscription.items.data;
  if (!first) throw new Error(`The subscription ${subscription.id} has no item`);
  const price = amount === undefined ? first.price : repriced(account, first.price, amount, at);
  const changed = { ...first, ...{ price, plan: planOf(price) }, ...(quantity !== undefined && { quantity }) };
  const changes: Partial<Subscription> = {
    ...((quantity !== undefined || amount !== undefined) && { items: listOf(subscription.id, [changed, ...others]) }),
    ...(status !== undefined && { status }),
    ...(isPaused !== undefined && { pause_collection: isPaused ? { behavior: 'void', resumes_at: null } : null }),
  };
  changeSubscription(account, subscription, changes, at);
}

export function cancelSubscription(account: PaymentAccount, subscription: Subscription, atPeriodEnd: boolean, at: number): void {
  requireRunning(subscription);
  const cancellation_details = { ...subscription.cancellation_details, reason: 'cancellation_requested' };
  if (atPeriodEnd) {
    const cancel_at = Math.max(...subscription.items.data.map((item) => item.current_period_end));
    const changes = { cancel_at_period_end: true, cancel_at, canceled_at: at, cancellation_details };
    return changeSubscription(account, subscription, changes, at);
  }
  const ended = { status: 'canceled', canceled_at: subscription.canceled_at ?? at, ended_at: at, cancellation_details };
  Object.assign(subscription, ended);
  account.emit('customer.subscription.deleted', subscription, at);
}

function changeSubscription(
  account: PaymentAccount,
  subscription: Subscription,
  changes: Partial<Subscription>,
  at: number,
): void {
  account.update('customer.subscription.updated', subscription, changes, at);
}

function requireRunning(subscription: Subscription): void {
  if (subscription.ended_at !== null) throw new InvalidFault(`The subscription ${subscription.id} has ended`);
}

function bill(
  account: PaymentAccount,
  subscription: Subscription,
  reason: 'subscription_create' | 'subscription_cycle',
  { at, isDeclined, exchangeRate, isFree }: { at: number; isDeclined: boolean; exchangeRate: number | null; isFree: boolean },
): boolean {
  const customer = account.customers.get(subscription.customer);
  if (!customer) throw new Error(`The subscription ${subscription.id} has no customer`);
  const lines = subscription.items.data.map((item) => ({ amount: isFree ? 0 : amountOf(account, subscription, item), item }));
  const invoice = addInvoice(account, { at, customer, currency: subscription.currency, lines, subscription, reason });
  changeSubscription(account, subscription, { latest_invoice: invoice.id }, at);
  return payInvoice(account, invoice, { at, paidOutside: 0, failedTries: 0, isDeclined, exchangeRate });
}

/** After the discounts that still run. Metered and tiered prices are charged as one unit of 1,000. */
function amountOf(
  account: PaymentAccount,
  subscription: Subscription,
  { price, quantity = 1, current_period_start }: SubscriptionItem,
): number {
  const full = (price.unit_amount ?? 1_000) * quantity;
  const running = subscription.discounts.flatMap((id) => account.discounts.get(id) ?? []);
  const reduced = running
    .filter(({ end }) => end === null || end > current_period_start)
    .reduce((amount, { source }) => {
      const { percent_off, amount_off } = account.coupons.get(source.coupon) ?? { percent_off: null, amount_off: 0 };
      return percent_off === null ? amount - (amount_off ?? 0) : amount * (1 - percent_off / 100);
    }, full);
  return Math.max(0, roundTo(reduced, subscription.currency));
}

function buildItem(
  account: PaymentAccount,
  subscription: string,
  { quantity, ...request }: ItemRequest,
  { at, currency, trialEnd }: { at: number; currency: string; trialEnd: number | null },
): SubscriptionItem {
  const price = addPrice(account, { ...request, at, currency });
  return {
    ...{ ...subscriptionItemConstants, plan: planOf(price) },
    id: account.newId('si_'),
    object: 'subscription_item',
    created: at,
    current_period_end: trialEnd ?? periodEnd(at, price.recurring, at),
    current_period_start: at,
    price,
    ...(!request.isMetered && { quantity }),
    subscription,
  };
}

function repriced(account: PaymentAccount, { currency, recurring, tax_behavior }: Price, amount: number, at: number): Price {
  const { interval, interval_count: intervalCount, usage_type } = recurring;
  const kind = { isMetered: usage_type === 'metered', isTaxInclusive: tax_behavior === 'inclusive' };
  return addPrice(account, { at, currency, amount, interval, intervalCount, ...kind });
}

function listOf(id: string, data: SubscriptionItem[]): Subscription['items'] {
  const url = `/v1/subscription_items?subscription=${id}`;
  return { ...{ total_count: data.length }, object: 'list', data, has_more: false, url };
}

/** The older form of a price, which items still contain. */
function planOf({ id, created, currency, livemode, metadata, nickname, product, recurring, unit_amount }: Price): object {
  const isTiered = unit_amount === null;
  return {
    ...{ id, object: 'plan', active: true, amount: unit_amount, amount_decimal: isTiered ? null : String(unit_amount) },
    ...{ billing_scheme: isTiered ? 'tiered' : 'per_unit', created, currency, interval: recurring.interval },
    ...{ interval_count: recurring.interval_count, livemode, metadata, meter: null, nickname, product },
    ...{ tiers_mode: isTiered ? 'graduated' : null, transform_usage: null, trial_period_days: null },
    usage_type: recurring.usage_type,
  };
}
