import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cancelUrl, monthly, startBilling, successUrl } from './stripe.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
let stripe: Stripe;
beforeAll(async () => {
  billing = await startBilling();
  stripe = billing.stripe;
});
afterEach(() => billing.clearFaults());
afterAll(() => billing.close());

const refusal = (promise: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused')),
    (error: unknown) => error as Stripe.errors.StripeError,
  );

describe('a call to Stripe', () => {
  it.each(['sk_test_wrong', 'pk_test_public', 'nonsense'])('is rejected with the key %s', async (key) => {
    const error = await refusal(billing.client(key).customers.list());
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect(error.message).not.toContain(key);
  });

  it('is rejected in another API version, which is not simulated', async () => {
    const older = billing.client('sk_test_sandbox', {
      apiVersion: '2025-03-31.basil' as Stripe.StripeConfig['apiVersion'] & string,
    });
    expect((await refusal(older.customers.list())).message).toContain('2026-10-28.endive');
  });

  it('is rejected with an unknown parameter, such as one removed in endive', async () => {
    const customer = await billing.customer();
    const params = {
      mode: 'subscription' as const,
      customer: customer.id,
      line_items: [{ price: monthly, quantity: 1 }],
      success_url: successUrl,
      payment_method_types: ['card'],
    };
    const error = await refusal(stripe.checkout.sessions.create(params));
    expect(error).toMatchObject({ statusCode: 400, code: 'parameter_unknown', param: 'payment_method_types' });
  });

  it('reports a missing resource: 404 for an id in the address, 400 for one in a parameter', async () => {
    expect(await refusal(stripe.customers.retrieve('cus_none'))).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    expect(await refusal(billing.checkout('cus_none'))).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'customer',
    });
    expect(await refusal(stripe.rawRequest('GET', '/v1/charges'))).toMatchObject({ statusCode: 404 });
  });

  it('is in the request log as one of Stripe', async () => {
    await billing.customer('logged');
    const { requests } = await billing.admin<{ requests: { path: string; requestBody: string }[] }>('requests?provider=stripe');
    expect(requests.at(-1)).toMatchObject({ path: '/v1/customers', requestBody: expect.stringContaining('logged') as string });
  });
});

describe('a customer', () => {
  it('is created, changed field by field, and deleted', async () => {
    const made = await billing.customer('fabrikam');
    expect(made).toMatchObject({ email: 'owner@fabrikam.example', metadata: { organization_id: 'fabrikam' } });
    const changed = await stripe.customers.update(made.id, { name: 'Fabrikam', metadata: { tier: 'one', organization_id: '' } });
    expect(changed).toMatchObject({ email: 'owner@fabrikam.example', name: 'Fabrikam', metadata: { tier: 'one' } });
    expect(changed.metadata).not.toHaveProperty('organization_id');
    await stripe.customers.del(made.id);
    expect(await stripe.customers.retrieve(made.id)).toEqual(expect.objectContaining({ id: made.id, deleted: true }));
    expect(await refusal(stripe.customers.update(made.id, { name: 'again' }))).toMatchObject({ statusCode: 404 });
  });

  it('is rejected with an invalid email address', async () => {
    expect(await refusal(stripe.customers.create({ email: 'nobody' }))).toMatchObject({ code: 'email_invalid' });
  });

  it('is found by metadata and by email, with a delay', async () => {
    const { id } = await stripe.customers.create({ email: 'search@example.com', metadata: { organization_id: "o'one" } });
    const query = "metadata['organization_id']:'o\\'one' AND email:'search@example.com'";
    expect((await stripe.customers.search({ query })).data).toEqual([]);
    await expect
      .poll(async () => (await stripe.customers.search({ query })).data.map((found) => found.id), { timeout: 5_000 })
      .toEqual([id]);
    expect(await refusal(stripe.customers.search({ query: 'organization' }))).toMatchObject({ statusCode: 400, param: 'query' });
  });

  it('is listed page by page, newest first', async () => {
    const email = 'many@example.com';
    const made: string[] = [];
    for (let index = 0; index < 5; index++) made.push((await stripe.customers.create({ email })).id);
    const first = await stripe.customers.list({ email, limit: 2 });
    expect(first).toMatchObject({ has_more: true, data: [{ id: made[4] }, { id: made[3] }] });
    const all = await stripe.customers.list({ email, limit: 2 }).autoPagingToArray({ limit: 100 });
    expect(all.map((customer) => customer.id)).toEqual([...made].reverse());
    const before = await stripe.customers.list({ email, limit: 2, ending_before: made[1]! });
    expect(before.data.map((customer) => customer.id)).toEqual([made[3], made[2]]);
    expect(await refusal(stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
  });
});

describe('an idempotency key', () => {
  it('returns the same answer again and creates nothing twice', async () => {
    const create = () => stripe.customers.create({ email: 'once@example.com' }, { idempotencyKey: 'customer:once' });
    const first = await create();
    const second = await create();
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
    expect((await stripe.customers.list({ email: 'once@example.com' })).data).toHaveLength(1);
  });

  it('is rejected with other parameters', async () => {
    const options = { idempotencyKey: 'customer:other' };
    await stripe.customers.create({ email: 'one@example.com' }, options);
    const error = await refusal(stripe.customers.create({ email: 'two@example.com' }, options));
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  it('can be reused when its request was rejected before processing', async () => {
    const options = { idempotencyKey: 'customer:corrected' };
    await refusal(stripe.customers.create({ email: 'nobody' }, options));
    expect((await stripe.customers.create({ email: 'someone@example.com' }, options)).id).toMatch(/^cus_/);
  });

  it('returns a conflict while its first request is in progress', async () => {
    await billing.fault('slow', { delayMs: 300, times: 1 });
    const options = { idempotencyKey: 'customer:in-flight' };
    const first = stripe.customers.create({ email: 'flight@example.com' }, options);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const error = await refusal(stripe.customers.create({ email: 'flight@example.com' }, options));
    expect(error).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    expect((await first).id).toMatch(/^cus_/);
  });

  it('works when the answer of a processed call is lost', async () => {
    await billing.fault('fail_after_applying', { times: 1 });
    const retrying = billing.client('sk_test_sandbox', { maxNetworkRetries: 2 });
    const { id } = await retrying.customers.create({ email: 'lost@example.com' });
    expect((await stripe.customers.list({ email: 'lost@example.com' })).data.map((found) => found.id)).toEqual([id]);
  });

  it('expires after a day', async () => {
    const own = await startBilling();
    const create = () => own.stripe.customers.create({ email: 'daily@example.com' }, { idempotencyKey: 'customer:daily' });
    const { id } = await create();
    await own.admin('stripe/advance', { days: 1.1 });
    expect((await create()).id).not.toBe(id);
    await own.close();
  });
});

describe('the plan', () => {
  it('exists initially, with its product if expanded', async () => {
    const price = await stripe.prices.retrieve(monthly, { expand: ['product'] });
    expect(price).toMatchObject({ unit_amount: 4900, currency: 'eur', recurring: { interval: 'month' } });
    expect(price.product).toMatchObject({ object: 'product', name: 'Tributary' });
    expect(await refusal(stripe.prices.retrieve(monthly, { expand: ['currency'] }))).toMatchObject({ param: 'expand' });
  });

  it('can be another one created by a test', async () => {
    const product = await stripe.products.create({ name: 'Yearly' });
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 50_000,
      recurring: { interval: 'year' },
    });
    expect((await stripe.prices.list({ product: product.id })).data).toEqual([expect.objectContaining({ id: price.id })]);
  });
});

describe('a checkout', () => {
  it('shows product, price, trial, card and the return link', async () => {
    const customer = await billing.customer();
    const session = await billing.checkout(customer.id, 14);
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      client_reference_id: 'northwind',
      subscription: null,
    });
    const html = await (await fetch(session.url!)).text();
    for (const words of ['Tributary', '49.00 EUR every month', '14 days free', 'Card that works', 'owner@northwind.example'])
      expect(html).toContain(words);
    expect(html).toContain(`href="${cancelUrl}"`);
  });

  it('stays open with a message when the card is declined', async () => {
    const session = await billing.checkout((await billing.customer()).id, 14);
    const answer = await billing.submit(session.url!, { card: 'declined' });
    expect(answer.status).toBe(402);
    expect(await answer.text()).toContain('Your card was declined.');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
  });

  it('creates an active subscription when paid and redirects with its id', async () => {
    const customer = await billing.customer();
    const session = await billing.checkout(customer.id);
    const answer = await billing.submit(session.url!, { card: 'works' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(successUrl.replace('{CHECKOUT_SESSION_ID}', session.id));
    const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription', 'line_items', 'invoice'] });
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    const subscription = paid.subscription as Stripe.Subscription;
    expect(subscription).toMatchObject({ status: 'active', metadata: { organization_id: 'northwind' }, customer: customer.id });
    const [item] = subscription.items.data;
    expect(item!.current_period_end - item!.current_period_start).toBeGreaterThan(27 * 86_400);
    expect(subscription).not.toHaveProperty('current_period_end');
    expect(paid.invoice).toMatchObject({ status: 'paid', amount_paid: 4900 });
    expect((paid.invoice as Stripe.Invoice).parent?.subscription_details?.subscription).toBe(subscription.id);
    expect(paid.line_items?.data[0]).toMatchObject({ amount_total: 4900, price: { id: monthly } });
  });

  it('with a trial needs no payment, and is paid once only', async () => {
    const session = await billing.checkout((await billing.customer()).id, 14);
    await billing.submit(session.url!, { card: 'works' });
    const complete = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
    expect(complete.payment_status).toBe('no_payment_required');
    const subscription = complete.subscription as Stripe.Subscription;
    expect(subscription.status).toBe('trialing');
    expect(subscription.trial_end! - subscription.trial_start!).toBe(14 * 86_400);
    expect((await billing.submit(session.url!, { card: 'works' })).status).toBe(410);
    expect((await stripe.subscriptions.list({ customer: subscription.customer as string })).data).toHaveLength(1);
  });

  it('without a customer creates one with the entered email', async () => {
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: monthly, quantity: 1 }],
      success_url: successUrl,
    });
    expect((await billing.submit(session.url!, { card: 'works' })).status).toBe(400);
    await billing.submit(session.url!, { card: 'works', email: 'new@example.com' });
    const { customer } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['customer'] });
    expect(customer).toMatchObject({ email: 'new@example.com' });
  });

  it('can be expired manually, and expires automatically after a day', async () => {
    const customer = await billing.customer();
    const [byHand, byTime] = [await billing.checkout(customer.id), await billing.checkout(customer.id)];
    expect((await stripe.checkout.sessions.expire(byHand.id)).status).toBe('expired');
    expect(await refusal(stripe.checkout.sessions.expire(byHand.id))).toMatchObject({ statusCode: 400 });
    expect(await billing.advance(1.1, customer.id)).toContain('checkout.session.expired');
    expect((await fetch(byTime.url!)).status).toBe(410);
  });
});
