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

/**
 * Days that an event may change: its own, and that of its object, because a declined or late payment belongs to the day on which it
 * was made. Nothing else of the event is used.
 */
export function daysOf({ created, data }: PlatformEvent): string[] {
  const moments = [created, data.object.created].filter((seconds) => seconds !== undefined);
  return [...new Set(moments.map((seconds) => new Date(seconds * 1_000).toISOString().slice(0, 10)))];
}
