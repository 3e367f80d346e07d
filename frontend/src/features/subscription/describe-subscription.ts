import type { Subscription } from '~/api/types';
import { formatDayOf, inDays } from '~/domain/time/days-left';
import type { Tone } from '~/domain/connections/connection-state';
import { plural } from '~/lib/numbers';

export interface SubscriptionNotice {
  tone: 'danger' | 'warn' | 'accent';
  title: string;
  text: string;
}

/** Label and icon tone of each status. */
export const statusTable: Record<Subscription['status'], { word: string; tone: Tone }> = {
  none: { word: 'Not started', tone: 'idle' },
  incomplete: { word: 'First payment not finished', tone: 'warn' },
  incomplete_expired: { word: 'First payment not finished', tone: 'idle' },
  trialing: { word: 'Free trial', tone: 'accent' },
  active: { word: 'Active', tone: 'good' },
  past_due: { word: 'Payment overdue', tone: 'danger' },
  canceled: { word: 'Ended', tone: 'idle' },
  unpaid: { word: 'Payment overdue', tone: 'danger' },
  paused: { word: 'Paused', tone: 'idle' },
};

/** Whether a subscription existed and has ended. */
export const hasLapsed = ({ access, status }: Subscription): boolean =>
  access === 'closed' && !['none', 'incomplete', 'incomplete_expired'].includes(status);

const DAY_MS = 86_400_000;

/** Whether the subscription ended with the trial, without a payment. */
const endedWithTrial = ({ closedAt, trialEndsAt }: Subscription): boolean =>
  closedAt !== null && trialEndsAt !== null && Math.abs(Date.parse(closedAt) - Date.parse(trialEndsAt)) < DAY_MS;

const on = (at: string | null, now: Date): string => (at === null ? '' : ` on ${formatDayOf(at, now)}`);

function stopReason(subscription: Subscription, now: Date): string {
  const { status, closedAt, graceEndsAt } = subscription;
  if (status === 'past_due' || status === 'unpaid')
    return `A payment is overdue, so runs stopped${on(closedAt ?? graceEndsAt, now)}`;
  if (endedWithTrial(subscription)) return `The trial ended${on(closedAt, now)}, so runs have stopped`;
  if (status === 'paused') return `The subscription is paused, so runs stopped${on(closedAt, now)}`;
  return `The subscription ended${on(closedAt, now)}, so runs have stopped`;
}

/** Action that reactivates the subscription. */
function actionToResume({ status }: Subscription): string {
  if (status === 'paused') return 'Use Manage billing';
  return status === 'past_due' || status === 'unpaid' ? 'Pay' : 'Choose a plan';
}

function lapseText(subscription: Subscription): string {
  const { connectionsWaiting: waiting } = subscription;
  if (waiting === 0) return `Nothing was deleted. ${actionToResume(subscription)} to continue.`;
  return `Nothing was deleted. ${actionToResume(subscription)} to resume ${plural(waiting, 'connection')}. Missed days load automatically.`;
}

function noticeBeforeStart({ status, connectionsWaiting: waiting, trialDays }: Subscription): SubscriptionNotice {
  if (status === 'incomplete')
    return { tone: 'warn', title: 'The first payment is not finished', text: 'Runs start as soon as it is.' };
  if (status === 'incomplete_expired')
    return { tone: 'warn', title: 'The first payment was not finished in time', text: 'Nothing was charged. Subscribe again.' };
  if (waiting > 0) {
    const text = `Nothing was deleted. ${plural(waiting, 'connection')} ${waiting === 1 ? 'resumes' : 'resume'} automatically.`;
    return { tone: 'accent', title: 'A plan is required to continue loading data', text };
  }
  const text = trialDays > 0 ? `The first ${plural(trialDays, 'day')} are free. ` : '';
  return {
    tone: 'accent',
    title: 'A plan is required to load data',
    text: `${text}You can use members and settings without a plan.`,
  };
}

/** Notice about the subscription, or null if no action is needed. */
export function noticeOf(subscription: Subscription, now: Date): SubscriptionNotice | null {
  const { isBilled, access, graceEndsAt, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  if (!isBilled) return null;
  if (hasLapsed(subscription)) return { tone: 'danger', title: stopReason(subscription, now), text: lapseText(subscription) };
  if (access === 'closed') return noticeBeforeStart(subscription);
  if (access === 'grace') {
    const title = graceEndsAt
      ? `The last payment failed. Runs stop ${inDays(graceEndsAt, now)}, on ${formatDayOf(graceEndsAt, now)}`
      : 'The last payment failed';
    return {
      tone: 'warn',
      title,
      text: 'Runs continue until then. Stripe retries the payment automatically. Update your card to pay now.',
    };
  }
  if (!cancelAtPeriodEnd) return null;
  const text = 'Runs continue until then. You can undo the cancellation under Manage billing.';
  return { tone: 'warn', title: `Canceled: the plan ends${on(currentPeriodEnd, now)}`, text };
}

export interface BillingActions {
  /** `checkout` starts a subscription, `portal` pays, changes or ends one at Stripe. */
  main: { kind: 'checkout' | 'portal'; label: string; isUrgent: boolean };
  hasPortalButton: boolean;
}

/** Statuses of an existing subscription that is fixed in the portal. A new checkout would create a second subscription. */
const portalActions: Partial<Record<Subscription['status'], string>> = {
  past_due: 'Update payment',
  unpaid: 'Update payment',
  incomplete: 'Complete payment',
  paused: 'Manage billing',
};

export function actionsOf(subscription: Subscription): BillingActions {
  const { status, access, trialDays, hasCustomer } = subscription;
  const portalLabel = portalActions[status];
  if (portalLabel) return { main: { kind: 'portal', label: portalLabel, isUrgent: true }, hasPortalButton: false };
  if (access !== 'closed') return { main: { kind: 'portal', label: 'Manage billing', isUrgent: false }, hasPortalButton: false };
  const label = status === 'none' && trialDays > 0 ? 'Start free trial' : 'Subscribe';
  return { main: { kind: 'checkout', label, isUrgent: true }, hasPortalButton: hasCustomer && status !== 'none' };
}

/** The next scheduled change, for example `Renews` on Dec 20, or null. */
export function nextChange(subscription: Subscription, now: Date): { label: string; at: string } | null {
  const { access, status, cancelAtPeriodEnd, currentPeriodEnd, trialEndsAt, graceEndsAt } = subscription;
  if (access === 'closed') return null;
  if (access === 'grace') return graceEndsAt === null ? null : { label: 'Runs stop', at: graceEndsAt };
  const at = status === 'trialing' && !cancelAtPeriodEnd ? (trialEndsAt ?? currentPeriodEnd) : currentPeriodEnd;
  if (at === null || Date.parse(at) < now.getTime()) return null;
  if (cancelAtPeriodEnd) return { label: 'Ends', at };
  return { label: status === 'trialing' ? 'First payment' : 'Renews', at };
}

/** Remaining and total days of a trial, or null without a trial. */
export function trialOf({ status, trialEndsAt, trialDays }: Subscription, now: Date): { left: number; of: number } | null {
  if (status !== 'trialing' || trialEndsAt === null) return null;
  const left = Math.max(0, Math.ceil((Date.parse(trialEndsAt) - now.getTime()) / DAY_MS));
  return { left, of: Math.max(left, trialDays) };
}

/** Features of the plan. */
export const contentsOf = ({ connectionLimit }: Subscription): string[] => [
  connectionLimit === null ? 'Unlimited connections' : plural(connectionLimit, 'connection'),
  'Unlimited rows and accounts',
  'Row counts verified in source and destination',
  'Full history available from each platform',
  'API keys, roles and audit log',
];
