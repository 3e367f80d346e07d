import { abandon, cancelNow, collect, endTrial, giveUp, renew } from './billing.ts';
import { daySeconds } from './calendar.ts';
import { expireSession } from './checkout.ts';
import { emit } from './events.ts';
import { itemOf } from './invoices.ts';
import type { Subscription } from './objects.ts';
import type { StripeState } from './state.ts';

/** A change that occurs at a given time. */
interface Due {
  at: number;
  happen: () => void;
}

const trialNoticeSeconds = 3 * daySeconds;
const firstPaymentSeconds = 23 * 3_600;

/** Executes everything that has become due, in order and with its own times. */
export function passTime(state: StripeState): void {
  const dues = [
    ...[...state.subscriptions.values()].map((subscription) => ({
      customer: subscription.customer,
      next: () => nextOf(state, subscription),
    })),
    ...[...state.sessions.values()].map((session) => ({
      customer: session.customer,
      next: () =>
        session.status === 'open'
          ? { at: session.expires_at, happen: () => expireSession(state, session, session.expires_at) }
          : null,
    })),
  ];
  const pending = dues.flatMap(({ customer, next }) => {
    const due = next();
    return due && due.at <= state.now(customer) ? [{ due, until: state.now(customer), next }] : [];
  });
  while (pending.length > 0) {
    const first = pending.reduce((earliest, other) => (other.due.at < earliest.due.at ? other : earliest));
    first.due.happen();
    const due = first.next();
    if (due && due.at <= first.until) first.due = due;
    else pending.splice(pending.indexOf(first), 1);
  }
}

function nextOf(state: StripeState, subscription: Subscription): Due | null {
  const dues = duesOf(state, subscription);
  return dues.length === 0 ? null : dues.reduce((earliest, other) => (other.at < earliest.at ? other : earliest));
}

function duesOf(state: StripeState, subscription: Subscription): Due[] {
  const end = itemOf(subscription).current_period_end;
  const cancelAt = subscription.cancel_at;
  switch (subscription.status) {
    case 'trialing':
      return [...announcementOf(state, subscription), periodDue(cancelAt, end, state, subscription, endTrial)];
    case 'active':
      return [periodDue(cancelAt, end, state, subscription, renew)];
    case 'past_due':
      return [...dunningOf(state, subscription), periodDue(cancelAt, end, state, subscription, renew)];
    case 'unpaid':
      return [periodDue(cancelAt, end, state, subscription, renew)];
    case 'incomplete': {
      const at = subscription.created + firstPaymentSeconds;
      return [{ at, happen: () => abandon(state, subscription, at) }];
    }
    case 'paused':
    case 'canceled':
    case 'incomplete_expired':
      return [];
  }
}

function periodDue(
  cancelAt: number | null,
  end: number,
  state: StripeState,
  subscription: Subscription,
  proceed: (state: StripeState, subscription: Subscription, at: number) => void,
): Due {
  if (cancelAt !== null && cancelAt <= end)
    return { at: cancelAt, happen: () => cancelNow(state, subscription, cancelAt, 'cancellation_requested') };
  return { at: end, happen: () => proceed(state, subscription, end) };
}

/** Three days before the end of a trial, or immediately if it is shorter. */
function announcementOf(state: StripeState, subscription: Subscription): Due[] {
  const notes = state.notesOf(subscription.id);
  if (notes.isTrialEndAnnounced || subscription.trial_end === null) return [];
  const at = Math.max(subscription.trial_start ?? 0, subscription.trial_end - trialNoticeSeconds);
  const happen = (): void => {
    notes.isTrialEndAnnounced = true;
    emit(state, 'customer.subscription.trial_will_end', subscription, at);
  };
  return [{ at, happen }];
}

function dunningOf(state: StripeState, subscription: Subscription): Due[] {
  const { firstFailedAt } = state.notesOf(subscription.id);
  const { afterDunning, dunningDays } = state.settings;
  const invoice = subscription.latest_invoice ? state.invoices.get(subscription.latest_invoice) : undefined;
  const retryAt = invoice?.status === 'open' ? invoice.next_payment_attempt : null;
  const endAt = firstFailedAt === null || afterDunning === 'past_due' ? null : firstFailedAt + dunningDays * daySeconds;
  return [
    ...(invoice && retryAt !== null ? [{ at: retryAt, happen: () => void collect(state, invoice, retryAt, 'alone') }] : []),
    ...(endAt === null ? [] : [{ at: endAt, happen: () => giveUp(state, subscription, endAt) }]),
  ];
}
