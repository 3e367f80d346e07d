import { describe, expect, it } from 'vitest';
import { monthlyOf, PRECISION } from './monthly.js';
import { type Coupon, couponSchema, recurringSubscriptionSchema } from './objects.js';

const AT = 1_800_000_000;
type Part = Record<string, unknown>;

const price = (more: Part = {}, interval = 'month', interval_count = 1): Part => ({
  ...{ currency: 'eur', product: 'prod_1', tax_behavior: 'unspecified', unit_amount_decimal: '1000', transform_quantity: null },
  recurring: { interval, interval_count, usage_type: 'licensed' },
  ...more,
});
const item = (more: Part = {}): Part => ({ id: 'si_1', quantity: 1, discounts: [], tax_rates: [], price: price(), ...more });
const discount = (coupon: string, more: Part = {}): Part => ({
  ...{ id: `di_${coupon}`, start: AT - 1_000, end: null, source: { coupon, type: 'coupon' } },
  ...more,
});
const coupon = (id: string, more: Part): [string, Coupon] => [
  id,
  couponSchema.parse({ id, duration: 'forever', percent_off: null, amount_off: null, currency: null, ...more }),
];

/** In smallest units, rounded down to a thousandth. */
function monthly(more: Part, coupons: [string, Coupon][] = []) {
  const subscription = recurringSubscriptionSchema.parse({
    ...{ id: 'sub_1', status: 'active', currency: 'eur', cancel_at_period_end: false, discounts: [] },
    ...{ items: { data: [item()], has_more: false } },
    ...more,
  });
  const { amount, leftOut, uncertain } = monthlyOf(subscription, new Map(coupons), AT);
  return { amount: amount === null ? null : Number((amount * 1_000n) / PRECISION) / 1_000, leftOut, uncertain };
}
const amountOf = (items: Part[], more: Part = {}, coupons: [string, Coupon][] = []) =>
  monthly({ items: { data: items, has_more: false }, ...more }, coupons).amount;

describe('a subscription is not included', () => {
  it.each([
    [{ status: 'trialing' }, 'trialing'],
    [{ status: 'incomplete' }, 'incomplete'],
    [{ status: 'incomplete_expired' }, 'incomplete'],
    [{ status: 'unpaid' }, 'unpaid'],
    [{ status: 'paused' }, 'paused'],
    [{ status: 'a new status of Stripe' }, 'other_status'],
    [{ pause_collection: { behavior: 'void' } }, 'collection_paused'],
    [{ items: { data: [item()], has_more: true } }, 'too_many_items'],
  ])('with %j', (more, reason) => expect(monthly(more)).toEqual({ amount: null, leftOut: [reason], uncertain: [] }));

  it.each([
    [item({ price: price({ recurring: { interval: 'month', interval_count: 1, usage_type: 'metered' } }) }), 'metered'],
    [item({ price: price({ unit_amount_decimal: null }) }), 'no_fixed_amount'],
    [item({ price: price({ currency: 'usd' }) }), 'other_currency'],
    [item({ current_trial: { end_date: AT + 1 } }), 'trialing'],
  ])('in the part of an item %#, and the other item is', (other, reason) =>
    expect(monthly({ items: { data: [item(), other], has_more: false } })).toEqual({
      ...{ amount: 1_000, leftOut: [reason], uncertain: [] },
    }),
  );
});

describe('one month', () => {
  it.each([
    ['month', 1, 1_000],
    ['month', 3, 333.333],
    ['year', 1, 83.333],
    ['year', 2, 41.666],
    ['week', 1, 4_333.333],
    ['week', 2, 2_166.666],
    ['day', 1, 30_416.666],
  ])('of a price for each %s × %i is %d', (interval, count, expected) =>
    expect(amountOf([item({ price: price({}, interval, count) })])).toBe(expected),
  );

  it('counts every unit, packages of units and decimals of the smallest unit', () => {
    expect(amountOf([item({ quantity: 3 })])).toBe(3_000);
    const packages = (round: string) => item({ quantity: 23, price: price({ transform_quantity: { divide_by: 10, round } }) });
    expect([amountOf([packages('up')]), amountOf([packages('down')])]).toEqual([3_000, 2_000]);
    expect(amountOf([item({ quantity: 1_000, price: price({ unit_amount_decimal: '0.125' }) })])).toBe(125);
  });

  it('includes overdue subscriptions', () => expect(monthly({ status: 'past_due' }).amount).toBe(1_000));
});

describe('discounts', () => {
  it('are subtracted in order, those of items first, and never below zero', () => {
    const coupons = [coupon('ten', { percent_off: 10 }), coupon('two', { amount_off: 200, currency: 'eur' })];
    expect(amountOf([item()], { discounts: [discount('two'), discount('ten')] }, coupons)).toBe(720);
    expect(amountOf([item()], { discounts: [discount('ten'), discount('two')] }, coupons)).toBe(700);
    expect(amountOf([item({ discounts: [discount('two')] })], { discounts: [discount('ten')] }, coupons)).toBe(720);
    const all = coupon('all', { amount_off: 5_000, currency: 'eur' });
    expect(amountOf([item()], { discounts: [discount('all')] }, [all])).toBe(0);
  });

  it('that have ended, have not begun, or apply once are not subtracted', () => {
    const coupons = [coupon('ten', { percent_off: 10 }), coupon('once', { percent_off: 50, duration: 'once' })];
    const discounts = [discount('ten', { end: AT }), discount('ten', { start: AT + 1 }), discount('once')];
    expect(monthly({ discounts }, coupons)).toEqual({ amount: 1_000, leftOut: [], uncertain: [] });
  });

  it('of products reduce only items of these products', () => {
    const half = coupon('half', { percent_off: 50, applies_to: { products: ['prod_2'] } });
    const second = item({ price: price({ product: 'prod_2' }) });
    expect(amountOf([item(), second], { discounts: [discount('half')] }, [half])).toBe(1_500);
  });

  it('of an amount are subtracted once for each billing period', () => {
    const two = coupon('two', { amount_off: 200, currency: 'eur' });
    const yearly = item({ price: price({ unit_amount_decimal: '12000' }, 'year') });
    expect(amountOf([item(), item()], { discounts: [discount('two')] }, [two])).toBe(1_800);
    expect(amountOf([yearly], { discounts: [discount('two')] }, [two])).toBe(983.333);
  });

  it('of deleted coupons, or with an amount in another currency, are named as uncertain', () => {
    const usd = coupon('usd', { amount_off: 200, currency: 'usd' });
    expect(monthly({ discounts: [discount('gone'), discount('usd')] }, [usd])).toEqual({
      ...{ amount: 1_000, leftOut: [], uncertain: ['discount_unknown'] },
    });
  });
});

describe('taxes', () => {
  const inclusive = { inclusive: true, percentage: 19 };

  it('that are included are subtracted, and those on top never were part of the price', () => {
    expect(amountOf([item({ tax_rates: [inclusive] })])).toBe(840.336);
    expect(amountOf([item()], { default_tax_rates: [inclusive] })).toBe(840.336);
    expect(amountOf([item({ tax_rates: [{ inclusive: false, percentage: 19 }] })], { default_tax_rates: [inclusive] })).toBe(
      1_000,
    );
  });

  it('that Stripe computes for each invoice are uncertain, unless they are on top', () => {
    const automatic = { automatic_tax: { enabled: true } };
    expect(monthly(automatic).uncertain).toEqual(['tax_unknown']);
    const items = { data: [item({ price: price({ tax_behavior: 'exclusive' }) })], has_more: false };
    expect(monthly({ ...automatic, items }).uncertain).toEqual([]);
  });
});
