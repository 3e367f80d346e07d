import { cardOf, isDeclined } from './cards.ts';
import { daySeconds, periodEnd } from './calendar.ts';
import { declined, invalid } from './errors.ts';
import { change, emit } from './events.ts';
import {
  amountOf,
  createInvoice,
  finalize,
  invoicesOf,
  itemOf,
  markFailed,
  markPaid,
  markVoid,
  subscriptionIdOf,
} from './invoices.ts';
import type { Invoice, Subscription } from './objects.ts';
import type { StripeState } from './state.ts';

/** `alone`: an automatic charge by Stripe, to which the fault `card_declined` applies; `asked`: a user pays now. */
export type Charge = 'alone' | 'asked';

/** Changes a subscription and sends an event with the previous values. */
export function changeSubscription(
  state: StripeState,
  subscription: Subscription,
  changes: Partial<Subscription>,
  at: number,
  type = 'customer.subscription.updated',
): void {
  const previous = change(subscription, changes);
  if (previous) emit(state, type, subscription, at, type.endsWith('.updated') ? previous : undefined);
}

export function cancelNow(state: StripeState, subscription: Subscription, at: number, reason: string | null): void {
  for (const invoice of invoicesOf(state, subscription.id)) {
    if (invoice.status === 'open' || invoice.status === 'draft')
      Object.assign(invoice, { auto_advance: false, next_payment_attempt: null });
  }
  const changes: Partial<Subscription> = {
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? at,
    ended_at: at,
    cancellation_details: { ...subscription.cancellation_details, reason },
  };
  changeSubscription(state, subscription, changes, at, 'customer.subscription.deleted');
}

/** Charges the customer's card. False: it was declined, and the subscription was updated accordingly. */
export function collect(state: StripeState, invoice: Invoice, at: number, charge: Charge): boolean {
  const subscription = state.subscriptions.get(subscriptionIdOf(invoice));
  if (invoice.amount_due > 0 && !isCharged(state, invoice, subscription, charge)) {
    if (subscription) becomeOverdue(state, subscription, invoice, at);
    return false;
  }
  markPaid(state, invoice, at);
  if (subscription) becomePaid(state, subscription, at);
  return true;
}

/** A user pays an open invoice. A declined card is an error, and the subscription does not change. */
export function payNow(state: StripeState, invoice: Invoice, at: number): void {
  if (invoice.status === 'paid') throw invalid('Invoice is already paid', undefined, 'invoice_already_paid');
  if (invoice.status === 'draft') finalize(state, invoice, at);
  if (invoice.status !== 'open') throw invalid('This invoice can no longer be paid', undefined, 'invoice_not_editable');
  const subscription = state.subscriptions.get(subscriptionIdOf(invoice));
  if (!cardOf(state, invoice.customer, subscription))
    throw invalid(
      'There is no `default_payment_method` set on this Customer or Invoice.',
      undefined,
      'invoice_payment_intent_requires_action',
    );
  if (!collect(state, invoice, at, 'asked')) throw declined();
}

/** Starts the next period: creates its invoice and, unless all previous ones are unpaid, collects it. */
export function renew(state: StripeState, subscription: Subscription, at: number): void {
  const item = itemOf(subscription);
  const wasTrialing = subscription.status === 'trialing';
  const anchor = wasTrialing ? at : subscription.billing_cycle_anchor;
  const period = { current_period_start: at, current_period_end: periodEnd(at, item.price.recurring, anchor) };
  const isGivenUp = subscription.status === 'unpaid';
  const items = { ...subscription.items, data: [{ ...item, ...period }] };
  changeSubscription(state, subscription, { items, billing_cycle_anchor: anchor, ...(wasTrialing && { status: 'active' }) }, at);
  const invoice = createInvoice(state, subscription, 'subscription_cycle', at, { isDraft: isGivenUp });
  changeSubscription(state, subscription, { latest_invoice: invoice.id }, at);
  if (!isGivenUp) collect(state, invoice, at, 'alone');
}

/** Ends a trial without a card according to the subscription's `trial_settings`. With a card, the first period starts. */
export function endTrial(state: StripeState, subscription: Subscription, at: number): void {
  const behavior = subscription.trial_settings.end_behavior.missing_payment_method;
  const hasCard = cardOf(state, subscription.customer, subscription) !== null;
  if (!hasCard && behavior === 'cancel') return cancelNow(state, subscription, at, null);
  if (!hasCard && behavior === 'pause')
    return changeSubscription(state, subscription, { status: 'paused' }, at, 'customer.subscription.paused');
  renew(state, subscription, at);
}

/** Resumes a paused subscription with a period that starts now. */
export function resume(state: StripeState, subscription: Subscription, at: number): void {
  if (subscription.status !== 'paused') throw invalid('This subscription is not paused and cannot be resumed.');
  const item = itemOf(subscription);
  const period = { current_period_start: at, current_period_end: periodEnd(at, item.price.recurring, at) };
  const items = { ...subscription.items, data: [{ ...item, ...period }] };
  const invoiceHolder = { ...subscription, items };
  const invoice = createInvoice(state, invoiceHolder, 'subscription_update', at, { amount: amountOf(subscription) });
  changeSubscription(
    state,
    subscription,
    { status: 'active', items, billing_cycle_anchor: at, latest_invoice: invoice.id },
    at,
    'customer.subscription.resumed',
  );
  collect(state, invoice, at, 'asked');
}

/** After the last attempt: applies the account's setting. */
export function giveUp(state: StripeState, subscription: Subscription, at: number): void {
  const { afterDunning } = state.settings;
  for (const invoice of invoicesOf(state, subscription.id)) if (invoice.status === 'open') invoice.next_payment_attempt = null;
  if (afterDunning === 'canceled') return cancelNow(state, subscription, at, 'payment_failed');
  if (afterDunning === 'unpaid') changeSubscription(state, subscription, { status: 'unpaid' }, at);
}

/** Expires the subscription 23 hours after its creation if the first payment is missing. */
export function abandon(state: StripeState, subscription: Subscription, at: number): void {
  for (const invoice of invoicesOf(state, subscription.id)) if (invoice.status === 'open') markVoid(state, invoice, at);
  changeSubscription(state, subscription, { status: 'incomplete_expired', ended_at: at }, at);
}

function isCharged(state: StripeState, invoice: Invoice, subscription: Subscription | undefined, charge: Charge): boolean {
  const card = cardOf(state, invoice.customer, subscription);
  if (!card || isDeclined(card)) return false;
  const occasion = { endpoint: 'api', customerId: invoice.customer };
  return charge === 'asked' || !state.faults.strike('stripe', 'card_declined', occasion);
}

function becomeOverdue(state: StripeState, subscription: Subscription, invoice: Invoice, at: number): void {
  const notes = state.notesOf(subscription.id);
  notes.firstFailedAt ??= at;
  const failedAt = notes.firstFailedAt;
  const next = state.settings.retryDays.map((days) => failedAt + days * daySeconds).find((moment) => moment > at) ?? null;
  markFailed(state, invoice, at, subscription.status === 'incomplete' ? null : next);
  const customer = state.customers.get(subscription.customer);
  if (customer) customer.delinquent = true;
  if (subscription.status === 'active' || subscription.status === 'trialing')
    changeSubscription(state, subscription, { status: 'past_due' }, at);
}

/** Activates the subscription when all due invoices are paid. */
function becomePaid(state: StripeState, subscription: Subscription, at: number): void {
  const latest = subscription.latest_invoice ? state.invoices.get(subscription.latest_invoice) : undefined;
  if (latest && latest.status !== 'paid') return;
  state.notesOf(subscription.id).firstFailedAt = null;
  const customer = state.customers.get(subscription.customer);
  if (customer) customer.delinquent = false;
  const { status } = subscription;
  if (status === 'incomplete' || status === 'past_due' || status === 'unpaid')
    changeSubscription(state, subscription, { status: 'active' }, at);
}
