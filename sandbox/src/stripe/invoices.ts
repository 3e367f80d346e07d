import { invoiceConstants, invoiceLineConstants } from './constants.ts';
import { emit } from './events.ts';
import { newId } from './ids.ts';
import type { Invoice, Subscription, SubscriptionItem } from './objects.ts';
import type { StripeState } from './state.ts';

export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update';

/** An invoice for the subscription's current period. Drafts are for invoices that are not collected. */
export function createInvoice(
  state: StripeState,
  subscription: Subscription,
  billing_reason: BillingReason,
  at: number,
  { amount = amountOf(subscription), isDraft = false } = {},
): Invoice {
  const customer = state.customers.get(subscription.customer);
  const item = itemOf(subscription);
  const id = newId('in_');
  const invoice: Invoice = {
    ...invoiceConstants,
    ...{ customer_email: customer?.email ?? null, customer_name: customer?.name ?? null },
    ...{ subtotal: amount, subtotal_excluding_tax: amount, total_excluding_tax: amount },
    ...{ effective_at: isDraft ? null : at, hosted_invoice_url: null, invoice_pdf: null },
    ...{ lines: linesOf(id, subscription, item, amount) },
    id,
    object: 'invoice',
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    attempt_count: 0,
    attempted: false,
    auto_advance: !isDraft,
    billing_reason,
    created: at,
    currency: subscription.currency,
    customer: subscription.customer,
    next_payment_attempt: null,
    number: `SANDBOX-${String(state.invoices.size + 1).padStart(4, '0')}`,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: item.current_period_end,
    period_start: item.current_period_start,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    total: amount,
  };
  state.invoices.set(id, invoice);
  emit(state, 'invoice.created', invoice, at);
  if (!isDraft) finalize(state, invoice, at);
  return invoice;
}

export function finalize(state: StripeState, invoice: Invoice, at: number): void {
  invoice.status = 'open';
  invoice.status_transitions.finalized_at = at;
  emit(state, 'invoice.finalized', invoice, at);
}

export function markPaid(state: StripeState, invoice: Invoice, at: number): void {
  const { amount_due } = invoice;
  const attempt = amount_due > 0 ? 1 : 0;
  Object.assign(invoice, {
    status: 'paid',
    ...{ amount_paid: amount_due, amount_remaining: 0, attempted: true, next_payment_attempt: null, auto_advance: false },
    attempt_count: invoice.attempt_count + attempt,
    status_transitions: { ...invoice.status_transitions, paid_at: at },
  } satisfies Partial<Invoice>);
  emit(state, 'invoice.paid', invoice, at);
  emit(state, 'invoice.payment_succeeded', invoice, at);
}

export function markFailed(state: StripeState, invoice: Invoice, at: number, nextAttemptAt: number | null): void {
  Object.assign(invoice, {
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    next_payment_attempt: nextAttemptAt,
  } satisfies Partial<Invoice>);
  emit(state, 'invoice.payment_failed', invoice, at);
}

export function markVoid(state: StripeState, invoice: Invoice, at: number): void {
  invoice.status = 'void';
  invoice.auto_advance = false;
  invoice.status_transitions.voided_at = at;
  emit(state, 'invoice.voided', invoice, at);
}

export function invoicesOf(state: StripeState, subscriptionId: string): Invoice[] {
  return [...state.invoices.values()].filter((invoice) => subscriptionIdOf(invoice) === subscriptionId);
}

export function subscriptionIdOf(invoice: Invoice): string {
  return invoice.parent.subscription_details.subscription;
}

export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`The subscription ${subscription.id} has no item`);
  return item;
}

export function amountOf(subscription: Subscription): number {
  const { price, quantity } = itemOf(subscription);
  return price.unit_amount * quantity;
}

function linesOf(invoiceId: string, subscription: Subscription, item: SubscriptionItem, amount: number): object {
  const line = {
    ...invoiceLineConstants,
    id: newId('il_'),
    object: 'line_item',
    amount,
    currency: subscription.currency,
    description: `${item.quantity} × ${item.price.nickname ?? item.price.id}`,
    invoice: invoiceId,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        ...{ invoice_item: null, proration: false, proration_details: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: 'price_details',
      unit_amount_decimal: String(item.price.unit_amount),
    },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription: subscription.id,
    subtotal: amount,
  };
  return { object: 'list', data: [line], has_more: false, total_count: 1, url: `/v1/invoices/${invoiceId}/lines` };
}
