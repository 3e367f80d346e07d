import { afterAll, beforeAll, expect, it } from 'vitest';
import { differencesFrom, type Claim } from './declared-types.ts';
import { startBilling } from './stripe.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.close());

const types: Record<string, string> = {
  balance_transactions: 'Stripe.BalanceTransaction',
  charges: 'Stripe.Charge',
  coupons: 'Stripe.Coupon',
  customers: 'Stripe.Customer',
  disputes: 'Stripe.Dispute',
  events: 'Stripe.Event',
  invoice_payments: 'Stripe.InvoicePayment',
  invoices: 'Stripe.Invoice',
  payment_intents: 'Stripe.PaymentIntent',
  payouts: 'Stripe.Payout',
  prices: 'Stripe.Price',
  products: 'Stripe.Product',
  refunds: 'Stripe.Refund',
  subscriptions: 'Stripe.Subscription',
};

/** Objects of one kind that differ in their fields or states. */
const kindOf = (row: Record<string, unknown>): string =>
  JSON.stringify([Object.keys(row).sort(), row.status, row.type, row.billing_scheme, row.pending_reason]);

it('every object and event of the seeded account matches the SDK’s types', async () => {
  const claims: Claim[] = [];
  for (const [table, type] of Object.entries(types)) {
    const { rows } = await billing.admin<{ rows: Record<string, unknown>[] }>(`stripe/payments/acct_northwindeur/rows/${table}`);
    const different = new Map(rows.map((row) => [kindOf(row), row]));
    expect(different.size, table).toBeGreaterThan(0);
    for (const value of different.values()) claims.push({ type, value });
  }
  const stripe = billing.client('rk_test_northwind_eur');
  claims.push({ type: 'Stripe.Account', value: await stripe.accounts.retrieveCurrent() });
  const expand = ['data.discounts.source.coupon'];
  for (const value of (await stripe.subscriptions.list({ limit: 100, expand })).data.slice(0, 20))
    claims.push({ type: 'Stripe.Subscription', value });
  for (const value of (await stripe.charges.list({ expand: ['data.balance_transaction', 'data.refunds'] })).data)
    claims.push({ type: 'Stripe.Charge', value });
  expect(differencesFrom("import type Stripe from 'stripe';", claims)).toEqual([]);
});
