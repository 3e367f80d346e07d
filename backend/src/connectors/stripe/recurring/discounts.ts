import type { Coupon, Discount } from './objects.js';

/** Null: the coupon was deleted at Stripe, where the discount continues. */
export type Coupons = ReadonlyMap<string, Coupon | null>;

/** An item of one billing period, reduced step by step. */
export interface Line {
  product: string;
  /** Exact, in `PRECISION` parts of the smallest unit. */
  amount: bigint;
}

/** Percentages of Stripe have a few decimals; this many are exact. */
const PERCENT_DECIMALS = 1_000_000;
const WHOLE = 100n * BigInt(PERCENT_DECIMALS);

export const couponIdOf = ({ source: { coupon } }: Discount): string | null =>
  coupon === null || typeof coupon === 'string' ? coupon : coupon.id;

/** What a percentage leaves. */
export const reduce = (amount: bigint, percent: number): bigint =>
  (amount * (WHOLE - BigInt(Math.round(percent * PERCENT_DECIMALS)))) / WHOLE;

/** What is left of an amount that includes this percentage on top. */
export const without = (amount: bigint, percent: number): bigint =>
  (amount * WHOLE) / (WHOLE + BigInt(Math.round(percent * PERCENT_DECIMALS)));

/** Reduces the lines by the discounts that apply at a moment. Returns false if one of them is not known. */
export function applyDiscounts(
  lines: Line[],
  discounts: Discount[],
  coupons: Coupons,
  { at, currency, precision }: { at: number; currency: string; precision: bigint },
): boolean {
  let isKnown = true;
  for (const discount of discounts) {
    if (discount.start > at || (discount.end !== null && discount.end <= at)) continue;
    const coupon = coupons.get(couponIdOf(discount) ?? '');
    if (!coupon || (coupon.amount_off !== null && coupon.currency !== currency)) {
      isKnown = false;
      continue;
    }
    if (coupon.duration === 'once') continue;
    const { applies_to: limit } = coupon;
    applyCoupon(
      lines.filter(({ product }) => !limit || limit.products.includes(product)),
      coupon,
      precision,
    );
  }
  return isKnown;
}

/** An amount is spread over the lines by their share, because a later percentage may apply to only some of them. */
function applyCoupon(lines: Line[], { percent_off, amount_off }: Coupon, precision: bigint): void {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n);
  const off = BigInt(amount_off ?? 0) * precision;
  for (const line of lines) {
    if (percent_off !== null) line.amount = reduce(line.amount, percent_off);
    else if (total > 0n) line.amount = off >= total ? 0n : line.amount - (off * line.amount) / total;
  }
}
