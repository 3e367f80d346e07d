import type { PlatformEvent } from '../../connectors/kit/connector.js';

/**
 * Types after which rows may change. Stripe shows a refund by several types and promises none of them, so all are taken. Its list of
 * events can be filtered by at most 20.
 */
export const webhookTypes = [
  'charge.succeeded',
  'charge.captured',
  'charge.updated',
  'charge.failed',
  'charge.refunded',
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
] as const;

export const isUsed = (type: string): boolean => (webhookTypes as readonly string[]).includes(type);

/** Times of a subscription on whose days it has rows. */
const subscriptionTimes = ['start_date', 'trial_start', 'trial_end', 'ended_at'];
/** Changes of these change its rows. A renewal changes none of them. */
const changingRows = [...subscriptionTimes, 'status', 'customer', 'metadata'];

/**
 * Days that an event may change: its own, that of its object, because a declined or late payment belongs to the day on which it was
 * made, and those of a subscription. Nothing else of the event is used.
 */
export function daysOf({ type, created, data: { object, previous_attributes: previous } }: PlatformEvent): string[] {
  const isUpdate = type === 'customer.subscription.updated' && previous;
  const hasOldDays = !isUpdate || changingRows.some((name) => name in previous);
  const times = type.startsWith('customer.subscription.') ? subscriptionTimes : [];
  const old = [object.created, ...times.flatMap((name) => [object[name], previous?.[name]])];
  const moments = [created, ...(hasOldDays ? old : [])].filter((seconds) => typeof seconds === 'number');
  return [...new Set(moments.map((seconds) => new Date(seconds * 1_000).toISOString().slice(0, 10)))];
}
