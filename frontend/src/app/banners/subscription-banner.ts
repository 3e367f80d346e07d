import type { Subscription } from '~/api/types';
import { daysUntil, formatDayOf, inDays } from '~/domain/time/days-left';

export interface BannerWords {
  tone: 'danger' | 'warn' | 'accent';
  text: string;
  action: string;
}

/** The end of a plan or trial is announced this many days before. */
const ANNOUNCED_DAYS = 3;

const isNear = (at: string | null, now: Date): at is string =>
  at !== null && Date.parse(at) > now.getTime() && daysUntil(at, now) <= ANNOUNCED_DAYS;

const when = (at: string, now: Date): string => `${inDays(at, now)}, ${formatDayOf(at, now)}`;

function graceWords({ graceEndsAt }: Subscription, now: Date): string {
  if (graceEndsAt === null) return 'The last payment failed. Update the payment, or runs stop.';
  const days = Math.max(0, daysUntil(graceEndsAt, now));
  const left =
    days === 0 ? 'Runs stop today' : `${days} ${days === 1 ? 'day' : 'days'} left: runs stop on ${formatDayOf(graceEndsAt, now)}`;
  return `The last payment failed. ${left}.`;
}

/** Why runs stopped, and the label of the link to the subscription. */
function lapseReason(status: Subscription['status']): { reason: string; action: string } {
  if (status === 'past_due' || status === 'unpaid') return { reason: 'a payment is overdue', action: 'Update payment' };
  if (status === 'paused') return { reason: 'the subscription is paused', action: 'Manage billing' };
  return { reason: 'there is no plan', action: 'Choose a plan' };
}

function lapseWords({ closedAt, graceEndsAt, status }: Subscription, now: Date): BannerWords {
  const { reason, action } = lapseReason(status);
  const closed = closedAt ?? graceEndsAt;
  const since = closed === null ? '' : ` on ${formatDayOf(closed, now)}`;
  return {
    tone: 'danger',
    text: `Runs stopped${since}, because ${reason}. No data was deleted.`,
    action,
  };
}

/** The subscription banner of an organization; null when no action is required. */
export function bannerOf(subscription: Subscription, now: Date): BannerWords | null {
  const { isBilled, access, status, cancelAtPeriodEnd, trialEndsAt, currentPeriodEnd } = subscription;
  if (!isBilled) return null;
  if (access === 'grace') return { tone: 'warn', text: graceWords(subscription, now), action: 'Update payment' };
  if (access === 'closed')
    return status === 'none'
      ? { tone: 'accent', text: 'A plan is required to load data.', action: 'Choose a plan' }
      : lapseWords(subscription, now);
  if (cancelAtPeriodEnd && isNear(currentPeriodEnd, now))
    return { tone: 'warn', text: `The plan ends ${when(currentPeriodEnd, now)}. Runs stop then.`, action: 'Keep the plan' };
  if (status === 'trialing' && isNear(trialEndsAt, now))
    return { tone: 'accent', text: `The trial ends ${when(trialEndsAt, now)}.`, action: 'See the plan' };
  return null;
}
