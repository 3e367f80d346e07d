import Stripe from 'stripe';

/** Average numbers of each interval in a month. */
const PER_MONTH = { day: 365 / 12, week: 52 / 12, month: 1, year: 1 / 12 };

interface Total {
  currency: string;
  amountMinor: number;
  subscriptions: number;
}

/**
 * The recurring revenue of an account, computed once more with Stripe's own client and floating point numbers. It knows the cases
 * that the sandbox has: discounts of subscriptions with one kind of item each.
 */
export async function freshRecurringRevenue(url: string, key: string): Promise<Total[]> {
  const { hostname, port } = new URL(url);
  const stripe = new Stripe(key, { host: hostname, port, protocol: 'http' });
  const coupons = new Map<string, Stripe.Coupon>();
  for await (const coupon of stripe.coupons.list({ limit: 100 })) coupons.set(coupon.id, coupon);
  const totals = new Map<string, Total>();
  for await (const subscription of stripe.subscriptions.list({ status: 'all', limit: 100, expand: ['data.discounts'] })) {
    if (!['active', 'past_due'].includes(subscription.status) || subscription.pause_collection) continue;
    const amount = perMonth(subscription, coupons);
    if (amount === null) continue;
    const currency = subscription.currency.toUpperCase();
    const total = totals.get(currency) ?? { currency, amountMinor: 0, subscriptions: 0 };
    totals.set(currency, { currency, amountMinor: total.amountMinor + amount, subscriptions: total.subscriptions + 1 });
  }
  return [...totals.values()].map((total) => ({ ...total, amountMinor: Math.round(total.amountMinor) }));
}

function perMonth(subscription: Stripe.Subscription, coupons: ReadonlyMap<string, Stripe.Coupon>): number | null {
  const fixed = subscription.items.data.filter(
    ({ price }) => price.recurring?.usage_type === 'licensed' && price.unit_amount !== null,
  );
  const [first] = fixed;
  if (!first?.price.recurring) return null;
  const { interval, interval_count } = first.price.recurring;
  let amount = fixed.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * (quantity ?? 1), 0);
  for (const discount of subscription.discounts as Stripe.Discount[]) {
    const coupon = coupons.get(String(discount.source.coupon));
    if (!coupon || (discount.end !== null && discount.end <= Date.now() / 1_000)) continue;
    amount = coupon.percent_off === null ? amount - (coupon.amount_off ?? 0) : amount * (1 - coupon.percent_off / 100);
  }
  return (Math.max(0, amount) * PER_MONTH[interval as keyof typeof PER_MONTH]) / interval_count;
}
