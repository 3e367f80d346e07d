import { z } from 'zod';
import { paymentEvents } from './events.js';

/** The provider of payments. */
export const PAYMENT_PROVIDER = 'stripe';

/** Keys of Stripe's metadata have at most 40 characters. https://docs.stripe.com/metadata */
export const CUSTOMER_ID_TYPE = /^(stripe_id|email|metadata:[^\s[\]]{1,40})$/;

export const sourceSettingsSchema = z.strictObject({
  events: z.array(z.enum(paymentEvents)).min(1),
  customerIdType: z.string().regex(CUSTOMER_ID_TYPE),
  amountMode: z.enum(['gross', 'net']),
});
export type SourceSettings = z.infer<typeof sourceSettingsSchema>;

export const credentialsSchema = z.strictObject({
  apiKey: z
    .string()
    .regex(/^rk_(live|test)_\w{8,240}$/, 'must be a restricted key, which begins with rk_live_ or rk_test_')
    .meta({ title: 'Restricted key', description: 'Created in Stripe under Developers, API keys.', format: 'password' }),
});
