import { z } from 'zod';

/** The fields of Stripe's objects that the connector reads. Enums are open: Stripe adds values. */

const metadata = z.record(z.string(), z.string()).nullish();
const seconds = z.int();

export const customerSchema = z.object({
  id: z.string(),
  deleted: z.boolean().optional(),
  email: z.string().nullish(),
  metadata,
});
export type StripeCustomer = z.infer<typeof customerSchema>;
/** An id, or the object if it was expanded. */
const customerOrId = z.union([z.string(), customerSchema]).nullable();

export const chargeSchema = z.object({
  id: z.string(),
  amount: z.int(),
  amount_captured: z.int().optional(),
  balance_transaction: z.string().nullable(),
  billing_details: z.object({ email: z.string().nullish() }).nullish(),
  created: seconds,
  currency: z.string(),
  customer: customerOrId,
  failure_balance_transaction: z.string().nullish(),
  metadata,
  receipt_email: z.string().nullish(),
  status: z.string(),
});
export type StripeCharge = z.infer<typeof chargeSchema>;

const expandedSource = z.looseObject({
  id: z.string(),
  object: z.string(),
  charge: z.string().nullish(),
  amount: z.int().optional(),
  currency: z.string().optional(),
});

export const balanceTransactionSchema = z.object({
  id: z.string(),
  amount: z.int(),
  created: seconds,
  currency: z.string(),
  fee: z.int(),
  net: z.int(),
  reporting_category: z.string(),
  source: z.union([z.string(), expandedSource]).nullable(),
});
export type BalanceTransaction = z.infer<typeof balanceTransactionSchema>;

export const subscriptionSchema = z.object({
  id: z.string(),
  created: seconds,
  currency: z.string(),
  customer: customerOrId,
  ended_at: seconds.nullable(),
  metadata,
  start_date: seconds,
  status: z.string(),
  trial_end: seconds.nullable(),
  trial_start: seconds.nullable(),
});
export type StripeSubscription = z.infer<typeof subscriptionSchema>;

export const accountSchema = z.object({
  id: z.string(),
  default_currency: z.string().default('usd'),
  business_profile: z.object({ name: z.string().nullish() }).nullish(),
  settings: z.object({ dashboard: z.object({ display_name: z.string().nullish() }).nullish() }).nullish(),
});
export type StripeAccount = z.infer<typeof accountSchema>;

export const eventSchema = z.object({
  id: z.string(),
  created: seconds,
  type: z.string(),
  data: z.object({
    object: z.looseObject({ created: z.number().optional() }),
    previous_attributes: z.record(z.string(), z.unknown()).nullish(),
  }),
});
