import type { List, Metadata } from '../objects.ts';

/** Objects of a customer's own Stripe account: the fields that the sandbox reads or changes. */

export interface BalanceTransaction {
  id: string;
  object: 'balance_transaction';
  amount: number;
  available_on: number;
  balance_type: 'payments';
  created: number;
  currency: string;
  description: string | null;
  exchange_rate: number | null;
  fee: number;
  fee_details: { amount: number; application: null; currency: string; description: string; type: string }[];
  net: number;
  reporting_category: string;
  source: string | null;
  readonly status: 'available' | 'pending';
  type: string;
}

export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  balance_transaction: string | null;
  billing_details: { address: null; email: string | null; name: null; phone: null; tax_id: null };
  captured: boolean;
  created: number;
  currency: string;
  customer: string | null;
  description: string | null;
  disputed: boolean;
  failure_balance_transaction: string | null;
  failure_code: string | null;
  failure_message: string | null;
  livemode: boolean;
  metadata: Metadata;
  paid: boolean;
  payment_intent: string;
  payment_method_details: { type: string };
  receipt_email: string | null;
  refunded: boolean;
  status: 'succeeded' | 'pending' | 'failed';
}

export interface PaymentIntent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_capturable: number;
  amount_received: number;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: 'automatic_async' | 'manual';
  created: number;
  currency: string;
  customer: string | null;
  description: string | null;
  last_payment_error: { code: string; decline_code: string; message: string; type: 'card_error' } | null;
  latest_charge: string | null;
  livemode: boolean;
  metadata: Metadata;
  payment_method_types: string[];
  status: 'requires_payment_method' | 'requires_capture' | 'processing' | 'succeeded' | 'canceled';
}

export const refundStatuses = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  balance_transaction: string | null;
  charge: string;
  created: number;
  currency: string;
  customer: string | null;
  failure_balance_transaction?: string;
  failure_reason?: string;
  metadata: Metadata;
  payment_intent: string;
  pending_reason?: string;
  reason: string | null;
  status: RefundStatus;
}

export const disputeStatuses = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'won',
  'lost',
  'prevented',
] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  balance_transactions: BalanceTransaction[];
  charge: string;
  created: number;
  currency: string;
  is_charge_refundable: boolean;
  livemode: boolean;
  metadata: Metadata;
  payment_intent: string;
  reason: string;
  status: DisputeStatus;
}

export interface Customer {
  id: string;
  object: 'customer';
  created: number;
  currency: string | null;
  email: string | null;
  livemode: boolean;
  metadata: Metadata;
  name: string | null;
}

export interface Product {
  id: string;
  object: 'product';
  created: number;
  livemode: boolean;
  metadata: Metadata;
  name: string;
}

export interface Recurring {
  interval: 'day' | 'week' | 'month' | 'year';
  interval_count: number;
  usage_type: 'licensed' | 'metered';
}

export interface Price {
  id: string;
  object: 'price';
  created: number;
  currency: string;
  livemode: boolean;
  metadata: Metadata;
  nickname: string | null;
  product: string;
  recurring: Recurring;
  tax_behavior: 'inclusive' | 'exclusive' | 'unspecified';
  /** Null for tiered prices, which have no fixed amount. */
  unit_amount: number | null;
  unit_amount_decimal: string | null;
}

export interface Coupon {
  id: string;
  object: 'coupon';
  amount_off: number | null;
  created: number;
  currency: string | null;
  duration: 'once' | 'repeating' | 'forever';
  duration_in_months: number | null;
  livemode: boolean;
  percent_off: number | null;
}

export interface Discount {
  id: string;
  object: 'discount';
  end: number | null;
  source: { coupon: string; type: 'coupon' };
  start: number;
  subscription: string;
}

export interface SubscriptionItem {
  id: string;
  object: 'subscription_item';
  created: number;
  current_period_end: number;
  current_period_start: number;
  price: Price;
  /** Missing for metered prices. */
  quantity?: number;
  subscription: string;
}

export interface Subscription {
  id: string;
  object: 'subscription';
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: { comment: null; feedback: null; feedback_option: null; reason: string | null };
  created: number;
  currency: string;
  customer: string;
  discounts: string[];
  ended_at: number | null;
  items: List<SubscriptionItem>;
  latest_invoice: string | null;
  livemode: boolean;
  metadata: Metadata;
  pause_collection: { behavior: 'void'; resumes_at: null } | null;
  start_date: number;
  status: string;
  trial_end: number | null;
  trial_start: number | null;
}

export interface Invoice {
  id: string;
  object: 'invoice';
  amount_due: number;
  amount_paid: number;
  amount_paid_off_stripe: number;
  amount_remaining: number;
  attempt_count: number;
  attempted: boolean;
  created: number;
  currency: string;
  customer: string;
  ending_balance: number;
  livemode: boolean;
  metadata: Metadata;
  parent: object | null;
  starting_balance: number;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  status_transitions: {
    finalized_at: number | null;
    marked_uncollectible_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
  };
  total: number;
}

export interface InvoicePayment {
  id: string;
  object: 'invoice_payment';
  amount_paid: number | null;
  amount_requested: number;
  created: number;
  currency: string;
  invoice: string;
  is_default: boolean;
  livemode: boolean;
  payment: { type: 'payment_intent'; payment_intent: string } | { type: 'payment_record'; payment_record: string };
  status: 'open' | 'paid' | 'canceled';
  status_transitions: { canceled_at: number | null; paid_at: number | null };
}

export interface Payout {
  id: string;
  object: 'payout';
  amount: number;
  arrival_date: number;
  balance_transaction: string | null;
  created: number;
  currency: string;
  failure_balance_transaction: string | null;
  failure_code: string | null;
  livemode: boolean;
  status: 'paid' | 'pending' | 'in_transit' | 'canceled' | 'failed';
}
