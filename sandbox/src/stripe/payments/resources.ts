import { invalid, missing } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { List } from '../objects.ts';
import type { PaymentAccount } from './account.ts';
import type { Row, Table } from './table.ts';

export const listParameters = ['limit', 'starting_after', 'ending_before'];

/** A type of objects that can be listed and read. */
export interface Resource {
  /** The name in addresses: `/v1/<path>`. */
  path: string;
  /** The name in errors: `No such charge`. */
  kind: string;
  /** The permission of a restricted key that allows reading. */
  right: string;
  /** Further parameters of the list, which must be equal to the field of the same name. */
  filters: string[];
  table(account: PaymentAccount): Table<Row>;
  /** Parameters with their own rule, which `isListed` applies. */
  extraFilters?: string[];
  isListed?(row: Row, fields: Fields): boolean;
}

/** Names of the rights are those of the errors of the API: prices need plan, transactions need balance_transaction_source. */
export const resources: Resource[] = [
  {
    ...{ path: 'balance_transactions', kind: 'balance transaction', right: 'rak_balance_transaction_source_read' },
    ...{ filters: ['currency', 'source', 'type'], table: (account) => account.balanceTransactions },
  },
  {
    ...{ path: 'charges', kind: 'charge', right: 'rak_charge_read', filters: ['customer', 'payment_intent'] },
    table: (account) => account.charges,
  },
  {
    ...{ path: 'payment_intents', kind: 'payment_intent', right: 'rak_payment_intent_read', filters: ['customer'] },
    table: (account) => account.paymentIntents,
  },
  {
    ...{ path: 'refunds', kind: 'refund', right: 'rak_charge_read', filters: ['charge', 'payment_intent'] },
    table: (account) => account.refunds,
  },
  {
    ...{ path: 'disputes', kind: 'dispute', right: 'rak_dispute_read', filters: ['charge', 'payment_intent'] },
    table: (account) => account.disputes,
  },
  {
    ...{ path: 'customers', kind: 'customer', right: 'rak_customer_read', filters: ['email'] },
    table: (account) => account.customers,
  },
  { path: 'products', kind: 'product', right: 'rak_product_read', filters: [], table: (account) => account.products },
  {
    ...{ path: 'prices', kind: 'price', right: 'rak_plan_read', filters: ['currency', 'product', 'type'] },
    table: (account) => account.prices,
  },
  { path: 'coupons', kind: 'coupon', right: 'rak_coupon_read', filters: [], table: (account) => account.coupons },
  {
    ...{ path: 'subscriptions', kind: 'subscription', right: 'rak_subscription_read', filters: ['customer'] },
    ...{ table: (account) => account.subscriptions, isListed: isSubscriptionListed, extraFilters: ['status'] },
  },
  {
    ...{ path: 'invoices', kind: 'invoice', right: 'rak_invoice_read', filters: ['customer', 'status'] },
    ...{ table: (account) => account.invoices, isListed: isInvoiceListed, extraFilters: ['subscription'] },
  },
  {
    ...{ path: 'invoice_payments', kind: 'invoice payment', right: 'rak_invoice_read', filters: ['invoice', 'status'] },
    ...{ table: (account) => account.invoicePayments, isListed: isPaymentListed, extraFilters: ['payment'] },
  },
  {
    ...{ path: 'payouts', kind: 'payout', right: 'rak_payout_read', filters: ['status'] },
    table: (account) => account.payouts,
  },
];

/** One page of a table, the newest first. The cursor can be any object of the table, also one that the filters leave out. */
export function listRows(
  resource: Pick<Resource, 'kind' | 'path'>,
  table: Table<Row>,
  fields: Fields,
  isListed: (row: Row) => boolean,
): List<Row> {
  const limit = fields.integer('limit', 1, 100) ?? 10;
  const url = `/v1/${resource.path}`;
  const newestFirst = [...table.rows].reverse();
  const placeOf = (param: 'starting_after' | 'ending_before'): number | null => {
    const id = fields.text(param);
    if (id === undefined) return null;
    const place = newestFirst.findIndex((row) => row.id === id);
    if (place < 0) throw missing(resource.kind, id, param);
    return place;
  };
  const [after, before] = [placeOf('starting_after'), placeOf('ending_before')];
  if (after !== null && before !== null)
    throw invalid('You may only specify one of these parameters: starting_after, ending_before.', 'ending_before');
  if (before !== null) {
    const rows = newestFirst.slice(0, before).filter(isListed);
    return { object: 'list', data: rows.slice(-limit), has_more: rows.length > limit, url };
  }
  const rows = newestFirst.slice(after === null ? 0 : after + 1).filter(isListed);
  return { object: 'list', data: rows.slice(0, limit), has_more: rows.length > limit, url };
}

/** Whether a row has the requested values. */
export function matches(resource: Resource, row: Row, fields: Fields): boolean {
  const values = row as unknown as Record<string, unknown>;
  const hasValues = resource.filters.every((name) => !fields.has(name) || values[name] === fields.text(name));
  return hasValues && (resource.isListed?.(row, fields) ?? true);
}

/** Without `status`, canceled subscriptions are left out; `ended` are canceled and incomplete_expired. */
function isSubscriptionListed(row: Row, fields: Fields): boolean {
  const { status } = row as unknown as { status: string };
  const asked = fields.text('status');
  if (asked === undefined) return status !== 'canceled';
  if (asked === 'ended') return status === 'canceled' || status === 'incomplete_expired';
  return asked === 'all' || asked === status;
}

/** `payment[type]` with the id in the field of that name. */
function isPaymentListed(row: Row, fields: Fields): boolean {
  const asked = fields.object('payment');
  if (!asked) return true;
  const type = asked.requiredText('type');
  const { payment } = row as unknown as { payment: Record<string, string> };
  return payment.type === type && (!asked.has(type) || payment[type] === asked.text(type));
}

function isInvoiceListed(row: Row, fields: Fields): boolean {
  const asked = fields.text('subscription');
  const { parent } = row as unknown as { parent: { subscription_details: { subscription: string } } | null };
  return asked === undefined || parent?.subscription_details.subscription === asked;
}
