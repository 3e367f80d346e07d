import { z } from 'zod';

/** The fields of Stripe's objects from which recurring revenue is computed. */

const seconds = z.int();
/** At most 12 decimals. */
const decimal = z.string().regex(/^\d+(\.\d{1,12})?$/);

const taxRate = z.object({ inclusive: z.boolean(), percentage: z.number() });

/** `end` is null for discounts that apply forever, or once. */
export const discountSchema = z.object({
  id: z.string(),
  start: seconds,
  end: seconds.nullable(),
  source: z.object({ coupon: z.union([z.string(), z.looseObject({ id: z.string() })]).nullable() }),
});
export type Discount = z.infer<typeof discountSchema>;

export const couponSchema = z.object({
  id: z.string(),
  duration: z.string(),
  percent_off: z.number().nullable(),
  amount_off: z.int().nullable(),
  currency: z.string().nullable(),
  /** Only if the coupon is limited to products. */
  applies_to: z.object({ products: z.array(z.string()) }).nullish(),
});
export type Coupon = z.infer<typeof couponSchema>;

const itemSchema = z.object({
  id: z.string(),
  quantity: z.int().optional(),
  discounts: z.array(discountSchema),
  tax_rates: z.array(taxRate).nullish(),
  /** The free trial of one item. */
  current_trial: z.object({ end_date: seconds.nullish() }).nullish(),
  price: z.object({
    currency: z.string(),
    product: z.string(),
    tax_behavior: z.string().nullish(),
    unit_amount_decimal: decimal.nullable(),
    transform_quantity: z.object({ divide_by: z.int().positive(), round: z.string() }).nullish(),
    recurring: z
      .object({ interval: z.enum(['day', 'week', 'month', 'year']), interval_count: z.int().positive(), usage_type: z.string() })
      .nullable(),
  }),
});
export type SubscriptionItem = z.infer<typeof itemSchema>;

export const recurringSubscriptionSchema = z.object({
  id: z.string(),
  status: z.string(),
  currency: z.string(),
  cancel_at: seconds.nullish(),
  cancel_at_period_end: z.boolean(),
  pause_collection: z.looseObject({}).nullish(),
  automatic_tax: z.object({ enabled: z.boolean() }).nullish(),
  default_tax_rates: z.array(taxRate).nullish(),
  discounts: z.array(discountSchema),
  items: z.object({ data: z.array(itemSchema), has_more: z.boolean() }),
});
export type RecurringSubscription = z.infer<typeof recurringSubscriptionSchema>;
