import { customerConstants, priceConstants, productConstants, recurringConstants } from '../constants.ts';
import type { Metadata } from '../objects.ts';
import type { PaymentAccount } from './account.ts';
import { couponConstants, discountConstants } from './constants.ts';
import type { Coupon, Customer, Discount, Price, Recurring } from './objects.ts';

export function addCustomer(
  account: PaymentAccount,
  { email, name, metadata, at }: { email: string | null; name: string | null; metadata: Metadata; at: number },
): Customer {
  const invoice_settings = { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null };
  const customer = account.customers.add({
    ...customerConstants,
    ...{ delinquent: false, description: null, phone: null, invoice_settings },
    id: account.newId('cus_'),
    object: 'customer',
    ...{ created: at, currency: null, email, livemode: account.identity.isLive, metadata, name },
  });
  account.emit('customer.created', customer, at);
  return customer;
}

export interface PriceRequest {
  at: number;
  currency: string;
  /** Null: a tiered price, which has no fixed amount. */
  amount: number | null;
  interval: Recurring['interval'];
  intervalCount: number;
  isMetered: boolean;
  isTaxInclusive: boolean;
}

/** A price with a product of its own. */
export function addPrice(account: PaymentAccount, request: PriceRequest): Price {
  const { at, amount, currency, interval, intervalCount, isMetered, isTaxInclusive } = request;
  const livemode = account.identity.isLive;
  const name = `Plan ${account.products.rows.length + 1}`;
  const product = account.products.add({
    ...{ ...productConstants, active: true, description: null, updated: at },
    id: account.newId('prod_'),
    object: 'product',
    ...{ created: at, livemode, metadata: {}, name },
  });
  account.emit('product.created', product, at);
  const isTiered = amount === null;
  const price = account.prices.add({
    ...{ ...priceConstants, active: true, lookup_key: null },
    ...(isTiered && { billing_scheme: 'tiered', tiers_mode: 'graduated' }),
    id: account.newId('price_'),
    object: 'price',
    ...{ created: at, currency, livemode, metadata: {}, nickname: name, product: product.id },
    recurring: {
      ...recurringConstants,
      ...{ interval, interval_count: intervalCount, usage_type: isMetered ? 'metered' : 'licensed' },
    },
    tax_behavior: isTaxInclusive ? 'inclusive' : 'unspecified',
    unit_amount: amount,
    unit_amount_decimal: isTiered ? null : String(amount),
  });
  account.emit('price.created', price, at);
  return price;
}

export interface DiscountRequest {
  percentOff: number | null;
  amountOff: number | null;
  /** Null: forever. */
  months: number | null;
}

const averageMonthSeconds = 2_629_746;

/** A coupon and its use by a subscription. */
export function addDiscount(
  account: PaymentAccount,
  subscription: { id: string; currency: string },
  { percentOff, amountOff, months }: DiscountRequest,
  at: number,
): Discount {
  const coupon: Coupon = account.coupons.add({
    ...couponConstants,
    id: account.newId('').slice(0, 8).toUpperCase(),
    object: 'coupon',
    ...{ amount_off: amountOff, created: at, currency: amountOff === null ? null : subscription.currency },
    ...{ duration: months === null ? 'forever' : 'repeating', duration_in_months: months },
    ...{ livemode: account.identity.isLive, percent_off: percentOff },
  });
  account.emit('coupon.created', coupon, at);
  const discount: Discount = {
    ...discountConstants,
    id: account.newId('di_'),
    object: 'discount',
    end: months === null ? null : at + months * averageMonthSeconds,
    ...{ source: { coupon: coupon.id, type: 'coupon' }, start: at, subscription: subscription.id },
  };
  account.discounts.set(discount.id, discount);
  return discount;
}
