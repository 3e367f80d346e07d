import type { LeftOutReason, UncertainReason } from '../../kit/recurring-revenue.js';
import { applyDiscounts, type Coupons, type Line, without } from './discounts.js';
import type { RecurringSubscription, SubscriptionItem } from './objects.js';

/** Parts of a smallest unit. Amounts of Stripe have at most 12 decimals; all divisions are cut off after them. */
export const PRECISION = 10n ** 12n;

/** How many of an interval are in 12 months. */
const PER_YEAR = { year: 1n, month: 12n, week: 52n, day: 365n };

export interface MonthlyAmount {
  /** Of one month, in `PRECISION` parts of the smallest unit. Null: nothing of the subscription is included. */
  amount: bigint | null;
  leftOut: LeftOutReason[];
  uncertain: UncertainReason[];
}

/** A line with what is needed after the discounts. */
interface BilledLine extends Line {
  item: SubscriptionItem;
  recurring: NonNullable<SubscriptionItem['price']['recurring']>;
}

/** The recurring revenue of one subscription, as `definition.ts` describes it. */
export function monthlyOf(subscription: RecurringSubscription, coupons: Coupons, at: number): MonthlyAmount {
  const reason = reasonOf(subscription);
  if (reason) return { amount: null, leftOut: [reason], uncertain: [] };
  const lines: BilledLine[] = [];
  const leftOut: LeftOutReason[] = [];
  for (const item of subscription.items.data) {
    const line = lineOf(item, subscription.currency, at);
    if (typeof line === 'string') leftOut.push(line);
    else lines.push(line);
  }
  const uncertain = new Set<UncertainReason>();
  const moment = { at, currency: subscription.currency, precision: PRECISION };
  for (const line of lines) if (!applyDiscounts([line], line.item.discounts, coupons, moment)) uncertain.add('discount_unknown');
  for (const period of periodsOf(lines))
    if (!applyDiscounts(period, subscription.discounts, coupons, moment)) uncertain.add('discount_unknown');
  if (lines.some(({ item }) => isTaxUnknown(item, subscription))) uncertain.add('tax_unknown');
  const amount = lines.reduce((sum, line) => sum + perMonth(line, subscription), 0n);
  return { amount: lines.length > 0 ? amount : null, leftOut, uncertain: [...uncertain] };
}

function reasonOf({ status, pause_collection, items }: RecurringSubscription): LeftOutReason | null {
  if (status === 'trialing' || status === 'unpaid' || status === 'paused') return status;
  if (status === 'incomplete' || status === 'incomplete_expired') return 'incomplete';
  if (status !== 'active' && status !== 'past_due') return 'other_status';
  if (pause_collection) return 'collection_paused';
  return items.has_more ? 'too_many_items' : null;
}

function lineOf(item: SubscriptionItem, currency: string, at: number): BilledLine | LeftOutReason {
  const { price, quantity = 1, current_trial } = item;
  const { recurring, unit_amount_decimal } = price;
  if (current_trial && (current_trial.end_date ?? Infinity) > at) return 'trialing';
  if (recurring?.usage_type === 'metered') return 'metered';
  if (!recurring || unit_amount_decimal === null) return 'no_fixed_amount';
  if (price.currency !== currency) return 'other_currency';
  const amount = exact(unit_amount_decimal) * BigInt(billedQuantity(quantity, price.transform_quantity));
  return { product: price.product, amount, item, recurring };
}

/** `10.5` in parts. */
function exact(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole) * PRECISION + BigInt(decimals.padEnd(12, '0'));
}

/** Packages: 23 seats in packages of 10 are 3 packages, or 2 if rounded down. */
function billedQuantity(quantity: number, transform: SubscriptionItem['price']['transform_quantity']): number {
  if (!transform) return quantity;
  return transform.round === 'down' ? Math.floor(quantity / transform.divide_by) : Math.ceil(quantity / transform.divide_by);
}

/** Items of one interval are on one invoice. A discount of the subscription applies to each invoice. */
function periodsOf(lines: BilledLine[]): Iterable<BilledLine[]> {
  const periods = new Map<string, BilledLine[]>();
  for (const line of lines) {
    const period = `${line.recurring.interval_count} ${line.recurring.interval}`;
    periods.set(period, [...(periods.get(period) ?? []), line]);
  }
  return periods.values();
}

function perMonth({ amount, recurring, item }: BilledLine, { default_tax_rates }: RecurringSubscription): bigint {
  const rates = item.tax_rates?.length ? item.tax_rates : (default_tax_rates ?? []);
  const taxPercent = rates.filter(({ inclusive }) => inclusive).reduce((sum, { percentage }) => sum + percentage, 0);
  const net = without(amount, taxPercent);
  return (net * PER_YEAR[recurring.interval]) / (12n * BigInt(recurring.interval_count));
}

/** With automatic tax, the rate is known only on an invoice. Prices without a tax behavior have that of the account. */
const isTaxUnknown = ({ price }: SubscriptionItem, { automatic_tax }: RecurringSubscription): boolean =>
  automatic_tax?.enabled === true && price.tax_behavior !== 'exclusive';
