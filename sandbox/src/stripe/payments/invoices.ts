import { InvalidFault } from '../../faults.ts';
import { invoiceConstants, invoiceLineConstants } from '../constants.ts';
import type { PaymentAccount } from './account.ts';
import { intentOf, pay } from './charges.ts';
import type { Customer, Invoice, InvoicePayment, Subscription, SubscriptionItem } from './objects.ts';

export interface InvoiceRequest {
  at: number;
  customer: Customer;
  currency: string;
  lines: { amount: number; item?: SubscriptionItem }[];
  /** A credit of the customer, which reduces the amount due. */
  credit?: number;
  subscription?: Subscription;
  reason: 'manual' | 'subscription_create' | 'subscription_cycle';
  isDraft?: boolean;
}

export interface InvoicePaymentRequest {
  at: number;
  /** The part that the customer pays outside of Stripe, for example by bank transfer. */
  paidOutside: number;
  failedTries: number;
  isDeclined: boolean;
  exchangeRate: number | null;
}

export function addInvoice(account: PaymentAccount, request: InvoiceRequest): Invoice {
  const { at, currency, customer, subscription, credit = 0 } = request;
  const total = request.lines.reduce((sum, { amount }) => sum + amount, 0);
  const due = Math.max(0, total - credit);
  const id = account.newId('in_');
  const [firstItem] = subscription?.items.data ?? [];
  const invoice = account.invoices.add({
    ...invoiceConstants,
    ...{ account_country: account.identity.country, account_name: account.identity.name, auto_advance: true },
    ...{ billing_reason: request.reason, customer_email: customer.email, customer_name: customer.name, effective_at: at },
    ...{ hosted_invoice_url: null, invoice_pdf: null, lines: linesOf(account, id, request), next_payment_attempt: null },
    ...{ number: `NW-${String(account.invoices.rows.length + 1).padStart(4, '0')}`, subtotal: total, total_excluding_tax: total },
    ...{ subtotal_excluding_tax: total, total_discount_amounts: [] },
    ...{ period_start: firstItem?.current_period_start ?? at, period_end: firstItem?.current_period_end ?? at },
    id,
    object: 'invoice',
    ...{ amount_due: due, amount_paid: 0, amount_paid_off_stripe: 0, amount_remaining: due, attempt_count: 0, attempted: false },
    ...{ created: at, currency, customer: customer.id, livemode: account.identity.isLive, metadata: {} },
    parent: subscription ? parentOf(subscription) : null,
    starting_balance: -credit,
    ending_balance: -(credit - (total - due)),
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    total,
  });
  customer.currency ??= currency;
  account.emit('invoice.created', invoice, at);
  if (request.isDraft !== true) finalize(account, invoice, at);
  return invoice;
}

/** Pays an open invoice by card, in part or completely outside of Stripe, or with nothing if nothing is due. */
export function payInvoice(account: PaymentAccount, invoice: Invoice, request: InvoicePaymentRequest): boolean {
  if (invoice.status === 'draft') finalize(account, invoice, request.at);
  if (invoice.status !== 'open') throw new InvalidFault(`The invoice ${invoice.id} is ${invoice.status}`);
  const { at, paidOutside } = request;
  if (paidOutside > invoice.amount_remaining) throw new InvalidFault(`The invoice ${invoice.id} needs less than ${paidOutside}`);
  if (paidOutside > 0) {
    const record = { type: 'payment_record' as const, payment_record: account.newId('pr_') };
    markPaid(account, addInvoicePayment(account, invoice, paidOutside, record, at), at);
    invoice.amount_paid_off_stripe += paidOutside;
    invoice.amount_remaining -= paidOutside;
    invoice.amount_paid += paidOutside;
  }
  if (invoice.amount_remaining > 0 && !collect(account, invoice, request)) return false;
  const transitions = { ...invoice.status_transitions, paid_at: at };
  Object.assign(invoice, { status: 'paid', attempted: true, status_transitions: transitions } satisfies Partial<Invoice>);
  account.emit('invoice.paid', invoice, at);
  account.emit('invoice.payment_succeeded', invoice, at);
  return true;
}

export function endInvoice(account: PaymentAccount, invoice: Invoice, status: 'void' | 'uncollectible', at: number): void {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw new InvalidFault(`The invoice ${invoice.id} is ${invoice.status}`);
  const isVoid = status === 'void';
  const moment = isVoid ? { voided_at: at } : { marked_uncollectible_at: at };
  const changes: Partial<Invoice> = { status, status_transitions: { ...invoice.status_transitions, ...moment } };
  account.update(isVoid ? 'invoice.voided' : 'invoice.marked_uncollectible', invoice, changes, at);
}

function finalize(account: PaymentAccount, invoice: Invoice, at: number): void {
  const status_transitions = { ...invoice.status_transitions, finalized_at: at };
  account.update('invoice.finalized', invoice, { status: 'open', status_transitions }, at);
}

/** Charges what is due. All attempts belong to one payment intent. */
function collect(account: PaymentAccount, invoice: Invoice, request: InvoicePaymentRequest): boolean {
  const { at, isDeclined, exchangeRate } = request;
  const customer = account.customers.get(invoice.customer);
  const open = account.invoicePayments.rows.find(({ invoice: id, status }) => id === invoice.id && status === 'open');
  const known = open?.payment.type === 'payment_intent' ? account.paymentIntents.get(open.payment.payment_intent) : undefined;
  const failedTries = isDeclined ? Math.max(0, request.failedTries - 1) : request.failedTries;
  const payment = {
    ...{ amount: invoice.amount_remaining, currency: invoice.currency, customer: invoice.customer, at, failedTries, isDeclined },
    ...{ email: customer?.email ?? null, description: 'Subscription payment', metadata: {}, method: 'card' as const },
    ...{ isManual: false, isBalanceLate: false, exchangeRate },
  };
  const charge = pay(account, payment, known);
  invoice.attempt_count += failedTries + 1;
  invoice.attempted = true;
  const intent = { type: 'payment_intent' as const, payment_intent: intentOf(account, charge).id };
  const invoicePayment = open ?? addInvoicePayment(account, invoice, invoice.amount_remaining, intent, at);
  if (isDeclined) {
    account.emit('invoice.payment_failed', invoice, at);
    return false;
  }
  markPaid(account, invoicePayment, at);
  invoice.amount_paid += invoice.amount_remaining;
  invoice.amount_remaining = 0;
  return true;
}

function addInvoicePayment(
  account: PaymentAccount,
  invoice: Invoice,
  amount: number,
  payment: InvoicePayment['payment'],
  at: number,
): InvoicePayment {
  return account.invoicePayments.add({
    id: account.newId('inpay_'),
    object: 'invoice_payment',
    ...{ amount_paid: null, amount_requested: amount, created: at, currency: invoice.currency, invoice: invoice.id },
    ...{ is_default: payment.type === 'payment_intent', livemode: account.identity.isLive, payment, status: 'open' },
    status_transitions: { canceled_at: null, paid_at: null },
  });
}

function markPaid(account: PaymentAccount, payment: InvoicePayment, at: number): void {
  const status_transitions = { canceled_at: null, paid_at: at };
  const changes: Partial<InvoicePayment> = { status: 'paid', amount_paid: payment.amount_requested, status_transitions };
  account.update('invoice_payment.paid', payment, changes, at);
}

function parentOf({ id, metadata }: Subscription): object {
  const subscription_details = { metadata, subscription: id };
  return { quote_details: null, subscription_details, type: 'subscription_details' };
}

function linesOf(account: PaymentAccount, invoiceId: string, { lines, currency, at, subscription }: InvoiceRequest): object {
  const data = lines.map(({ amount, item }) => ({
    ...invoiceLineConstants,
    ...{ id: account.newId('il_'), object: 'line_item', amount, currency, description: item?.price.nickname ?? 'Service' },
    ...{ invoice: invoiceId, livemode: account.identity.isLive, metadata: {} },
    parent: item ? itemParent(item) : null,
    period: { start: item?.current_period_start ?? at, end: item?.current_period_end ?? at },
    pricing: item ? pricingOf(item) : null,
    ...{ quantity: item?.quantity ?? 1, quantity_decimal: String(item?.quantity ?? 1) },
    ...{ subscription: subscription?.id ?? null, subtotal: amount },
  }));
  return { object: 'list', data, has_more: false, total_count: data.length, url: `/v1/invoices/${invoiceId}/lines` };
}

function itemParent(item: SubscriptionItem): object {
  const subscription_item_details = {
    ...{ invoice_item: null, proration: false, proration_details: null },
    ...{ subscription: item.subscription, subscription_item: item.id },
  };
  return { invoice_item_details: null, subscription_item_details, type: 'subscription_item_details' };
}

function pricingOf({ price }: SubscriptionItem): object {
  const price_details = { price: price.id, product: price.product };
  return { price_details, type: 'price_details', unit_amount_decimal: price.unit_amount_decimal };
}
