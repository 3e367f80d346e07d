import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differencesFrom, type Claim } from './declared-types.ts';
import { cancelUrl, monthly, startBilling, type Billing } from './stripe.ts';

const imports = "import type Stripe from 'stripe';";

let billing: Billing & { close: () => Promise<void> };
let claims: Claim[];

beforeAll(async () => {
  billing = await startBilling();
  claims = await askEverything();
});
afterAll(() => billing.close());

/** Every call of the product, in every state of what it answers, under the type that the SDK promises for it. */
async function askEverything(): Promise<Claim[]> {
  const { stripe } = billing;
  const answers: Claim[] = [];
  const add = <Value>(type: string, value: Value): Value => {
    answers.push({ type, value });
    return value;
  };
  const { customer, subscription } = await billing.subscribe(14);
  add('Stripe.Customer', customer);
  add('Stripe.ApiList<Stripe.Customer>', await stripe.customers.list({ email: customer.email!, limit: 100 }));
  add('Stripe.Price', await stripe.prices.retrieve(monthly, { expand: ['product'] }));
  add('Stripe.Subscription', subscription);
  add('Stripe.Subscription', await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }));
  add('Stripe.ApiList<Stripe.Subscription>', await stripe.subscriptions.list({ customer: customer.id, status: 'all' }));
  add(
    'Stripe.BillingPortal.Session',
    await stripe.billingPortal.sessions.create({ customer: customer.id, return_url: cancelUrl }),
  );
  add('Stripe.Subscription', await stripe.subscriptions.cancel(subscription.id));

  const open = add('Stripe.Checkout.Session', await billing.checkout(customer.id));
  const expand = ['line_items'];
  add('Stripe.Checkout.Session', await stripe.checkout.sessions.retrieve(open.id, { expand }));
  add(
    'Stripe.ApiList<Stripe.Checkout.Session>',
    await stripe.checkout.sessions.list({ customer: customer.id, status: 'open', limit: 100 }),
  );
  add('Stripe.Checkout.Session', await stripe.checkout.sessions.expire(open.id));
  const paid = await billing.checkout(customer.id);
  await billing.submit(paid.url!, { card: 'works' });
  const complete = await stripe.checkout.sessions.retrieve(paid.id, { expand });
  add('Stripe.Checkout.Session', complete);
  add('Stripe.Subscription', await stripe.subscriptions.retrieve(complete.subscription as string));
  await billing.fault('card_declined', { customerId: customer.id, times: 1 });
  await billing.advance(40, customer.id);
  await billing.clearFaults();

  add('Stripe.ApiList<Stripe.Invoice>', await stripe.invoices.list({ customer: customer.id }));
  const deleted = await stripe.customers.del(customer.id);
  add('Stripe.DeletedCustomer', deleted);
  add('Stripe.Customer | Stripe.DeletedCustomer', await stripe.customers.retrieve(customer.id));
  for (const event of (await billing.state(customer.id)).events) add('Stripe.Event', event);
  return answers;
}

it('every answer and event matches the SDK’s types', () => {
  expect(differencesFrom(imports, claims)).toEqual([]);
  const events = claims.filter(({ type }) => type === 'Stripe.Event').map(({ value }) => (value as Stripe.Event).type);
  expect(events).toEqual(
    expect.arrayContaining([
      ...['checkout.session.completed', 'checkout.session.expired', 'customer.deleted', 'invoice.payment_failed'],
      ...['customer.subscription.created', 'customer.subscription.updated', 'customer.subscription.deleted'],
    ]),
  );
});

describe('the types reject an answer', () => {
  it.each([
    ['without a field', { id: undefined }, /Property 'id' is missing/],
    ['with a field that Stripe does not have', { nickname: 'N' }, /'"nickname"' does not exist in type 'Customer'/],
    ['with a value of another type', { balance: 'none' }, /Type 'string' is not assignable to type 'number'/],
  ])('%s', (_what, change, message) => {
    const customer = { ...(claims[0]?.value as Stripe.Customer), ...change };
    const differences = differencesFrom(imports, [{ type: 'Stripe.Customer', value: customer }]);
    expect(differences).toEqual([expect.stringMatching(message)]);
  });
});
