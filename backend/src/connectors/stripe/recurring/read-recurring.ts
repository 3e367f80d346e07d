import type { ConnectorContext } from '../../kit/contract.js';
import { FixSettings } from '../../kit/errors.js';
import type { MonthlyRevenue, RecurringRevenue } from '../../kit/recurring-revenue.js';
import type { StripeApi } from '../api.js';
import { couponIdOf, type Coupons } from './discounts.js';
import { monthlyOf, PRECISION } from './monthly.js';
import { type Coupon, couponSchema, type RecurringSubscription, recurringSubscriptionSchema } from './objects.js';

/** Far below Stripe's limit of 100 requests a second. An account may have a coupon for each customer. */
const PARALLEL_COUPONS = 10;

type Sum = Record<'amount' | 'pastDue' | 'ending', bigint> & { subscriptions: number };

/** Reads all subscriptions that are not canceled. Coupons are read one by one, because Stripe expands at most four levels. */
export async function readRecurringRevenue(api: StripeApi, context: ConnectorContext, now: Date): Promise<RecurringRevenue> {
  const at = Math.floor(now.getTime() / 1_000);
  const coupons = new Map<string, Coupon | null>();
  const totals = new Totals();
  const expand = ['data.discounts', 'data.items.data.discounts'];
  for await (const page of api.list(context, '/v1/subscriptions', recurringSubscriptionSchema, { expand })) {
    const missing = [...new Set(page.flatMap(couponIdsOf))].filter((id) => !coupons.has(id));
    for (let first = 0; first < missing.length; first += PARALLEL_COUPONS) {
      const ids = missing.slice(first, first + PARALLEL_COUPONS);
      const found = await Promise.all(ids.map((id) => findCoupon(api, context, id)));
      ids.forEach((id, place) => coupons.set(id, found[place] ?? null));
    }
    for (const subscription of page) totals.add(subscription, coupons, at);
  }
  return totals.result();
}

const couponIdsOf = ({ discounts, items }: RecurringSubscription): string[] =>
  [...discounts, ...items.data.flatMap((item) => item.discounts)].flatMap((discount) => couponIdOf(discount) ?? []);

/** A coupon that was deleted no longer exists, while its discounts continue. */
async function findCoupon(api: StripeApi, context: ConnectorContext, id: string): Promise<Coupon | null> {
  try {
    return await api.get(context, `/v1/coupons/${encodeURIComponent(id)}`, couponSchema, { expand: ['applies_to'] });
  } catch (error) {
    if (error instanceof FixSettings && error.code === 'stripe.resource_missing') return null;
    throw error;
  }
}

class Totals {
  private readonly sums = new Map<string, Sum>();
  private readonly leftOut = new Counter<RecurringRevenue['leftOut'][number]['reason']>();
  private readonly uncertain = new Counter<RecurringRevenue['uncertain'][number]['reason']>();

  add(subscription: RecurringSubscription, coupons: Coupons, at: number): void {
    const { amount, leftOut, uncertain } = monthlyOf(subscription, coupons, at);
    leftOut.forEach((reason) => this.leftOut.add(reason));
    uncertain.forEach((reason) => this.uncertain.add(reason));
    if (amount === null) return;
    const { currency, status, cancel_at_period_end, cancel_at } = subscription;
    const sum = this.sums.get(currency) ?? { amount: 0n, pastDue: 0n, ending: 0n, subscriptions: 0 };
    sum.amount += amount;
    sum.subscriptions += 1;
    if (status === 'past_due') sum.pastDue += amount;
    if (cancel_at_period_end || cancel_at) sum.ending += amount;
    this.sums.set(currency, sum);
  }

  result(): RecurringRevenue {
    const currencies = [...this.sums].map(([currency, sum]) => toMonthly(currency, sum));
    currencies.sort((one, other) => (one.currency < other.currency ? -1 : 1));
    return { currencies, leftOut: this.leftOut.list(), uncertain: this.uncertain.list() };
  }
}

class Counter<Reason extends string> {
  private readonly counts = new Map<Reason, number>();

  add(reason: Reason): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
  }

  list(): { reason: Reason; count: number }[] {
    return [...this.counts].map(([reason, count]) => ({ reason, count }));
  }
}

/** Rounded once, from exact sums. Half a unit is rounded up. */
const toMinor = (parts: bigint): number => Number((parts + PRECISION / 2n) / PRECISION);

const toMonthly = (currency: string, { amount, pastDue, ending, subscriptions }: Sum): MonthlyRevenue => ({
  currency: currency.toUpperCase(),
  ...{ amountMinor: toMinor(amount), pastDueMinor: toMinor(pastDue), endingMinor: toMinor(ending), subscriptions },
});
