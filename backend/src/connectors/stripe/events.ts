import type { Stream } from '../kit/contract.js';

/**
 * Events that a payment can load, and where each comes from. Money moves only in balance transactions, so the first six add up to
 * Stripe's own balance. https://docs.stripe.com/reports/reporting-categories
 */
export const paymentEvents = [
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
export type PaymentEvent = (typeof paymentEvents)[number];

/** Events of each reporting category. Fees, payouts and top-ups are no events of a customer. */
export const eventOfCategory: Readonly<Record<string, PaymentEvent>> = {
  charge: 'payment_received',
  // The part of an authorization that was not captured, and a debit that the bank took back.
  partial_capture_reversal: 'payment_reversed',
  charge_failure: 'payment_reversed',
  refund: 'payment_refunded',
  refund_failure: 'refund_failed',
  dispute: 'dispute_withdrawn',
  dispute_reversal: 'dispute_reinstated',
};

export const subscriptionEvents: ReadonlySet<PaymentEvent> = new Set([
  'subscription_started',
  'subscription_ended',
  'trial_started',
  'trial_ended',
]);

/** One row per event, with the same columns for all events. */
export const paymentEventsStream: Stream = {
  name: 'payment_events',
  title: 'Payment events',
  description: 'Payments, refunds, disputes, failed payments, subscriptions and trials of a Stripe account.',
  table: 'payment_events',
  columns: [
    {
      name: 'account_id',
      type: 'text',
      description: 'Stripe account; a settlement currency other than its default follows a slash.',
    },
    { name: 'date', type: 'date', description: 'Day of the event in UTC.' },
    { name: 'event_id', type: 'text', description: "Stripe's id of the balance transaction, or of the charge or subscription." },
    { name: 'event', type: 'text', description: 'What happened: payment_received, payment_refunded and so on.' },
    { name: 'occurred_at', type: 'text', description: 'When it happened, in ISO 8601 and UTC.' },
    { name: 'currency', type: 'text', description: 'ISO 4217 currency of the amounts: the currency in which Stripe settles.' },
    {
      name: 'amount_minor',
      type: 'bigint',
      description: "Money that moved, in Stripe's smallest unit of the currency. Negative when it leaves; 0 when none moved.",
    },
    { name: 'amount_micros', type: 'bigint', description: 'The same in millionths of the currency.' },
    { name: 'fee_minor', type: 'bigint', description: "Stripe's fee, in the smallest unit of the currency." },
    { name: 'charged_currency', type: 'text', description: 'ISO 4217 currency in which the customer paid.' },
    {
      name: 'charged_minor',
      type: 'bigint',
      description: 'Amount in that currency, in its smallest unit; negative for refunds.',
    },
    { name: 'customer_id', type: 'text', description: 'What identifies the customer, as chosen for the payment.' },
    { name: 'stripe_customer_id', type: 'text', description: "Stripe's id of the customer; empty for a guest." },
    { name: 'payment_id', type: 'text', description: "Stripe's id of the charge." },
    {
      name: 'original_event_id',
      type: 'text',
      description: 'event_id of the payment that a refund, dispute or reversal belongs to.',
    },
    { name: 'subscription_id', type: 'text', description: "Stripe's id of the subscription." },
  ],
  key: ['account_id', 'date', 'event_id'],
  level: 'account',
  breakdowns: [],
  metrics: { costMicros: 'amount_micros', clicks: null, impressions: null },
  verification: 'exact_rows',
  lookbackReason:
    'A fee may be booked after its payment, and a subscription may start a day after it was created. Webhooks mark older days.',
};
