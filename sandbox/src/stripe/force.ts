import { abandon, cancelNow, changeSubscription } from './billing.ts';
import { daySeconds, periodEnd } from './calendar.ts';
import { createInvoice, finalize, itemOf, markFailed, markPaid } from './invoices.ts';
import type { Invoice, Subscription, SubscriptionStatus } from './objects.ts';
import type { StripeState } from './state.ts';

const trialSeconds = 14 * daySeconds;

/** Sets a subscription to a status with all consequences: invoices, times and events. */
export function forceStatus(state: StripeState, subscription: Subscription, status: SubscriptionStatus, at: number): void {
  if (status === 'canceled') return cancelNow(state, subscription, at, null);
  revive(state, subscription, at);
  switch (status) {
    case 'past_due':
    case 'unpaid':
    case 'incomplete':
      failLatest(state, subscription, at);
      return changeSubscription(state, subscription, { status }, at);
    case 'incomplete_expired':
      return abandon(state, subscription, at);
    case 'paused':
      return changeSubscription(state, subscription, { status }, at, 'customer.subscription.paused');
    case 'trialing':
      return startTrial(state, subscription, at);
    case 'active':
      payLatest(state, subscription, at);
      return changeSubscription(state, subscription, { status }, at);
  }
}

/** Gives a subscription that ended, or whose period is over, an active period. */
function revive(state: StripeState, subscription: Subscription, at: number): void {
  const item = itemOf(subscription);
  if (subscription.ended_at === null && item.current_period_end > at) return;
  const period = { current_period_start: at, current_period_end: periodEnd(at, item.price.recurring, at) };
  const items = { ...subscription.items, data: [{ ...item, ...period }] };
  const ended = { ended_at: null, canceled_at: null, cancel_at: null, cancel_at_period_end: false };
  Object.assign(subscription, { ...ended, items, billing_cycle_anchor: at });
  Object.assign(state.notesOf(subscription.id), { firstFailedAt: null });
}

function startTrial(state: StripeState, subscription: Subscription, at: number): void {
  const trial_end = at + trialSeconds;
  const items = { ...subscription.items, data: [{ ...itemOf(subscription), current_period_end: trial_end }] };
  state.notesOf(subscription.id).isTrialEndAnnounced = false;
  changeSubscription(state, subscription, { status: 'trialing', trial_start: at, trial_end, items }, at);
}

function latestOf(state: StripeState, subscription: Subscription): Invoice | undefined {
  return subscription.latest_invoice ? state.invoices.get(subscription.latest_invoice) : undefined;
}

function failLatest(state: StripeState, subscription: Subscription, at: number): void {
  const latest = latestOf(state, subscription);
  const open = latest?.status === 'open' ? latest : createInvoice(state, subscription, 'subscription_cycle', at);
  subscription.latest_invoice = open.id;
  state.notesOf(subscription.id).firstFailedAt ??= at;
  markFailed(state, open, at, at + 3 * daySeconds);
}

function payLatest(state: StripeState, subscription: Subscription, at: number): void {
  const latest = latestOf(state, subscription);
  if (latest?.status === 'draft') finalize(state, latest, at);
  if (latest?.status === 'open') markPaid(state, latest, at);
  state.notesOf(subscription.id).firstFailedAt = null;
}
