export const PAYMENT_EVENTS = [
  'payment_received',
  'payment_reversed',
  'payment_refunded',
  'refund_failed',
  'dispute_withdrawn',
  'dispute_reinstated',
  'payment_failed',
  'subscription_started',
  'subscription_ended',
  'trial_started',
  'trial_ended',
] as const;
export type PaymentEvent = (typeof PAYMENT_EVENTS)[number];

interface EventWords {
  label: string;
  /** What the amount of its rows is. */
  hint: string;
}

export const eventWords: Record<PaymentEvent, EventWords> = {
  payment_received: { label: 'Payment received', hint: 'Positive amount' },
  payment_reversed: { label: 'Payment reversed', hint: 'Negative, names its payment' },
  payment_refunded: { label: 'Payment refunded', hint: 'Negative, names its payment' },
  refund_failed: { label: 'Refund failed', hint: 'The money returns, positive' },
  dispute_withdrawn: { label: 'Dispute, money taken', hint: 'Negative, names its payment' },
  dispute_reinstated: { label: 'Dispute, money returned', hint: 'Positive, names its payment' },
  payment_failed: { label: 'Payment failed', hint: 'No money moved' },
  subscription_started: { label: 'Subscription started', hint: 'No amount' },
  subscription_ended: { label: 'Subscription ended', hint: 'No amount' },
  trial_started: { label: 'Trial started', hint: 'No amount' },
  trial_ended: { label: 'Trial ended', hint: 'No amount' },
};

/** They add up to the change of Stripe's balance by customers. */
const moneyEvents = PAYMENT_EVENTS.slice(0, PAYMENT_EVENTS.indexOf('payment_failed'));

/** What the sum of the loaded amounts is. It is net revenue only if every event that moves money is loaded. */
export function revenueWords(events: readonly PaymentEvent[]): { label: string; note: string } {
  return moneyEvents.every((event) => events.includes(event))
    ? { label: 'Net revenue, 30 days', note: 'Verified, less refunds and disputes' }
    : { label: 'Sum of the loaded events, 30 days', note: 'Verified' };
}

/** Events in their usual order. */
export const sortEvents = (events: readonly PaymentEvent[]): PaymentEvent[] =>
  PAYMENT_EVENTS.filter((event) => events.includes(event));
