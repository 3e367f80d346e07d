import type { Subscription } from '~/api/types';
import { formatDayOf, inDays } from '~/domain/time/days-left';
import type { Tone } from '~/domain/connections/connection-state';
import { plural } from '~/lib/numbers';

export interface Standing {
  tone: 'danger' | 'warn' | 'accent';
  title: string;
  text: string;
}

/** Each state in a word, with the tone of its icon. */
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

/** Whether it ran and was stopped, so that there is something that waits. */
export const hasLapsed = ({ access, status }: Subscription): boolean =>
  access === 'closed' && !['none', 'incomplete', 'incomplete_expired'].includes(status);

const DAY_MS = 86_400_000;

/** It ended with the trial: nothing was ever paid. */
const endedWithTrial = ({ closedAt, trialEndsAt }: Subscription): boolean =>
  closedAt !== null && trialEndsAt !== null && Math.abs(Date.parse(closedAt) - Date.parse(trialEndsAt)) < DAY_MS;

const on = (at: string | null, now: Date): string => (at === null ? '' : ` on ${formatDayOf(at, now)}`);

function whyStopped(subscription: Subscription, now: Date): string {
  const { status, closedAt, graceEndsAt } = subscription;
  if (status === 'past_due' || status === 'unpaid')
    return `A payment is overdue, so syncs stopped${on(closedAt ?? graceEndsAt, now)}`;
  if (status === 'paused' || endedWithTrial(subscription)) return `The trial ended${on(closedAt, now)}, so syncs have stopped`;
  return `The subscription ended${on(closedAt, now)}, so syncs have stopped`;
}

/** What brings it back, as the second half of a sentence. */
const wayBack = ({ status }: Subscription): string =>
  status === 'past_due' || status === 'unpaid' ? 'Once the payment is made' : 'Once there is a plan';

function textOfLapse(subscription: Subscription): string {
  const { connectionsWaiting: waiting } = subscription;
  if (waiting === 0) return `Nothing was deleted. ${wayBack(subscription)}, everything is open again.`;
  return `Nothing was deleted. ${wayBack(subscription)}, ${plural(waiting, 'connection')} ${
    waiting === 1 ? 'loads its' : 'load their'
  } missed days by ${waiting === 1 ? 'itself' : 'themselves'}.`;
}

function standingOfBeginning({ status, connectionsWaiting: waiting, trialDays }: Subscription): Standing {
  if (status === 'incomplete')
    return { tone: 'warn', title: 'The first payment is not finished', text: 'Syncs begin as soon as it is.' };
  if (status === 'incomplete_expired')
    return { tone: 'warn', title: 'The first payment was not finished in time', text: 'Nothing was charged. Subscribe again.' };
  if (waiting > 0) {
    const text = `Nothing was deleted. ${plural(waiting, 'connection')} ${waiting === 1 ? 'waits' : 'wait'} and will catch up without your help.`;
    return { tone: 'accent', title: 'A plan is needed to go on loading data', text };
  }
  const text = trialDays > 0 ? `The first ${plural(trialDays, 'day')} are free. ` : '';
  return { tone: 'accent', title: 'A plan is needed to load data', text: `${text}Members and settings are open meanwhile.` };
}

/** What there is to say about it, and nothing when all is well. */
export function standingOf(subscription: Subscription, now: Date): Standing | null {
  const { isBilled, access, graceEndsAt, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  if (!isBilled) return null;
  if (hasLapsed(subscription)) return { tone: 'danger', title: whyStopped(subscription, now), text: textOfLapse(subscription) };
  if (access === 'closed') return standingOfBeginning(subscription);
  if (access === 'grace') {
    const title = graceEndsAt
      ? `The last payment failed; syncs stop ${inDays(graceEndsAt, now)}, on ${formatDayOf(graceEndsAt, now)}`
      : 'The last payment failed';
    return {
      tone: 'warn',
      title,
      text: 'Until then everything works. Stripe tries again by itself; another card settles it at once.',
    };
  }
  if (!cancelAtPeriodEnd) return null;
  const text = 'Until then everything works. You can take the cancellation back under Manage billing.';
  return { tone: 'warn', title: `Cancelled: the plan ends${on(currentPeriodEnd, now)}`, text };
}

export interface BillingActions {
  /** `checkout` starts a subscription, `portal` pays, changes or ends one at Stripe. */
  main: { kind: 'checkout' | 'portal'; label: string; isUrgent: boolean };
  hasPortalBeside: boolean;
}

/** There is a subscription that waits for something: another one would be paid beside it. */
const mendedThere: Partial<Record<Subscription['status'], string>> = {
  past_due: 'Update payment',
  unpaid: 'Update payment',
  incomplete: 'Finish the payment',
  paused: 'Manage billing',
};

export function actionsOf(subscription: Subscription): BillingActions {
  const { status, access, trialDays, hasCustomer } = subscription;
  const mended = mendedThere[status];
  if (mended) return { main: { kind: 'portal', label: mended, isUrgent: true }, hasPortalBeside: false };
  if (access !== 'closed') return { main: { kind: 'portal', label: 'Manage billing', isUrgent: false }, hasPortalBeside: false };
  const label = status === 'none' && trialDays > 0 ? 'Start free trial' : 'Subscribe';
  return { main: { kind: 'checkout', label, isUrgent: true }, hasPortalBeside: hasCustomer && status !== 'none' };
}

/** What becomes of it by itself: `Renews on Dec 20`; null when nothing does. */
export function nextChange(subscription: Subscription, now: Date): { label: string; at: string } | null {
  const { access, status, cancelAtPeriodEnd, currentPeriodEnd, trialEndsAt, graceEndsAt } = subscription;
  if (access === 'closed') return null;
  if (access === 'grace') return graceEndsAt === null ? null : { label: 'Syncs stop', at: graceEndsAt };
  const at = status === 'trialing' && !cancelAtPeriodEnd ? (trialEndsAt ?? currentPeriodEnd) : currentPeriodEnd;
  if (at === null || Date.parse(at) < now.getTime()) return null;
  if (cancelAtPeriodEnd) return { label: 'Ends', at };
  return { label: status === 'trialing' ? 'First payment' : 'Renews', at };
}

/** Days that are left of a trial, and how many it has; null outside one. */
export function trialOf({ status, trialEndsAt, trialDays }: Subscription, now: Date): { left: number; of: number } | null {
  if (status !== 'trialing' || trialEndsAt === null) return null;
  const left = Math.max(0, Math.ceil((Date.parse(trialEndsAt) - now.getTime()) / DAY_MS));
  return { left, of: Math.max(left, trialDays) };
}

/** What the plan holds; what is not counted is not limited. */
export const contentsOf = ({ connectionLimit }: Subscription): string[] => [
  connectionLimit === null ? 'As many connections as you need' : plural(connectionLimit, 'connection'),
  'Any number of rows and accounts',
  'Every row counted at both ends',
  'All the history a platform keeps',
  'API keys, roles and the audit trail',
];
