import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cancelUrl, monthly, startBilling } from './stripe.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
let stripe: Stripe;
beforeAll(async () => {
  billing = await startBilling();
  stripe = billing.stripe;
});
afterEach(async () => {
  await billing.clearFaults();
  await billing.admin('stripe/settings', { afterDunning: 'canceled' });
});
afterAll(() => billing.close());

const again = (subscription: Stripe.Subscription) =>
  stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
/** Days until the current period has just ended. The length of months differs. */
const daysToRenewal = ({ items }: Stripe.Subscription): number =>
  (items.data[0]!.current_period_end - Date.now() / 1_000) / 86_400 + 0.1;
const latestOf = (subscription: Stripe.Subscription) => subscription.latest_invoice as Stripe.Invoice;

describe('a trial', () => {
  it('is announced three days before its end and then becomes a paid month', async () => {
    const { customer, subscription } = await billing.subscribe(14);
    expect(await billing.advance(10, customer.id)).toEqual([]);
    expect(await billing.advance(1.5, customer.id)).toEqual(['customer.subscription.trial_will_end']);
    expect(await billing.advance(3, customer.id)).toEqual(
      expect.arrayContaining(['invoice.paid', 'customer.subscription.updated']),
    );
    const active = await again(subscription);
    expect(active.status).toBe('active');
    expect(latestOf(active)).toMatchObject({ status: 'paid', amount_paid: 4900, billing_reason: 'subscription_cycle' });
    expect(active.items.data[0]!.current_period_start).toBe(active.trial_end);
  });

  it('ends past due when the card fails then', async () => {
    const { customer, subscription } = await billing.subscribe(14, 'later');
    expect(await billing.advance(14.1, customer.id)).toContain('invoice.payment_failed');
    const late = await again(subscription);
    expect(late.status).toBe('past_due');
    expect(latestOf(late)).toMatchObject({ status: 'open', attempt_count: 1, amount_remaining: 4900 });
  });

  it.each([
    ['pause', 'paused', 'customer.subscription.paused'],
    ['cancel', 'canceled', 'customer.subscription.deleted'],
    ['create_invoice', 'past_due', 'invoice.payment_failed'],
  ] as const)('without a card ends as its settings say: %s makes it %s', async (behavior, status, type) => {
    const customer = await billing.customer();
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: monthly }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: behavior } },
    });
    expect(await billing.advance(7.1, customer.id)).toContain(type);
    expect((await again(subscription)).status).toBe(status);
  });

  it('can be ended immediately, and announces a new end', async () => {
    const { subscription } = await billing.subscribe(14);
    expect((await stripe.subscriptions.update(subscription.id, { trial_end: 'now' })).status).toBe('active');
  });
});

describe('a month that is paid', () => {
  it('is followed by the next one, with its own invoice', async () => {
    const { customer, subscription } = await billing.subscribe();
    const [before] = subscription.items.data;
    expect(await billing.advance(daysToRenewal(subscription), customer.id)).toContain('invoice.paid');
    const [after] = (await again(subscription)).items.data;
    expect(after!.current_period_start).toBe(before!.current_period_end);
    await billing.advance(64, customer.id);
    const { data } = await stripe.invoices.list({ subscription: subscription.id });
    expect(data.map((invoice) => invoice.billing_reason)).toEqual([
      ...['subscription_cycle', 'subscription_cycle', 'subscription_cycle', 'subscription_create'],
    ]);
  });

  it('contains the previous values in its event', async () => {
    const { customer, subscription } = await billing.subscribe();
    await billing.fault('card_declined', { customerId: customer.id, times: 1 });
    await billing.advance(daysToRenewal(subscription), customer.id);
    const { events } = await billing.state(customer.id);
    const [late] = events.filter(
      ({ type, data }) => type.endsWith('subscription.updated') && (data.object as Stripe.Subscription).status === 'past_due',
    );
    expect(late!.data.previous_attributes).toEqual({ status: 'active' });
    expect(late!.created).toBe(subscription.items.data[0]!.current_period_end);
  });
});

describe('a payment that fails', () => {
  it('is retried, and success activates the subscription', async () => {
    const { customer, subscription } = await billing.subscribe();
    await billing.fault('card_declined', { customerId: customer.id, times: 2 });
    await billing.advance(daysToRenewal(subscription), customer.id);
    expect((await again(subscription)).status).toBe('past_due');
    await billing.advance(3, customer.id);
    expect(latestOf(await again(subscription))).toMatchObject({ status: 'open', attempt_count: 2 });
    await billing.advance(2, customer.id);
    expect((await again(subscription)).status).toBe('active');
  });

  it.each(['canceled', 'unpaid', 'past_due'] as const)(
    'for three weeks ends with the account’s setting: %s',
    async (afterDunning) => {
      await billing.admin('stripe/settings', { afterDunning });
      const { customer, subscription } = await billing.subscribe();
      await billing.fault('card_declined', { customerId: customer.id });
      await billing.advance(daysToRenewal(subscription) + 20, customer.id);
      expect((await again(subscription)).status).toBe('past_due');
      await billing.advance(2, customer.id);
      expect((await again(subscription)).status).toBe(afterDunning);
    },
  );

  it('affects only the given customer', async () => {
    const { customer, subscription } = await billing.subscribe();
    await billing.fault('card_declined', { customerId: 'cus_other' });
    await billing.advance(daysToRenewal(subscription), customer.id);
    expect((await again(subscription)).status).toBe('active');
  });

  it('is resolved by a manual payment, although automatic charges still fail', async () => {
    const { customer, subscription } = await billing.subscribe();
    await billing.fault('card_declined', { customerId: customer.id });
    await billing.advance(daysToRenewal(subscription), customer.id);
    const invoice = latestOf(await again(subscription));
    const answer = await billing.portal(customer.id, { decision: 'pay', invoice: invoice.id! });
    expect(answer.status).toBe(303);
    expect((await again(subscription)).status).toBe('active');
    expect((await stripe.invoices.retrieve(invoice.id!)).status).toBe('paid');
  });
});

describe('a subscription created without the page', () => {
  it('waits incomplete for its first payment, and expires after 23 hours', async () => {
    const customer = await billing.customer();
    const create = { customer: customer.id, items: [{ price: monthly }], payment_behavior: 'default_incomplete' as const };
    const subscription = await stripe.subscriptions.create(create);
    expect(subscription.status).toBe('incomplete');
    await billing.advance(1, customer.id);
    const expired = await again(subscription);
    expect(expired.status).toBe('incomplete_expired');
    expect(latestOf(expired).status).toBe('void');
  });

  it('becomes active when its invoice is paid', async () => {
    const { customer } = await billing.subscribe();
    const subscription = await stripe.subscriptions.create({
      ...{ customer: customer.id, items: [{ price: monthly }], payment_behavior: 'default_incomplete' },
    });
    await stripe.invoices.pay(subscription.latest_invoice as string);
    expect((await again(subscription)).status).toBe('active');
  });

  it('is rejected without a card, and declined with a failing one', async () => {
    const customer = await billing.customer();
    const create = { customer: customer.id, items: [{ price: monthly }], payment_behavior: 'error_if_incomplete' as const };
    await expect(stripe.subscriptions.create(create)).rejects.toBeInstanceOf(Stripe.errors.StripeCardError);
    await expect(stripe.subscriptions.create({ ...create, payment_behavior: 'allow_incomplete' })).rejects.toMatchObject({
      statusCode: 400,
    });
  });
});

describe('canceling', () => {
  it('at the end of the period can be reverted until then', async () => {
    const { customer, subscription } = await billing.subscribe();
    const ending = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect(ending).toMatchObject({ status: 'active', cancel_at_period_end: true });
    expect(ending.cancel_at).toBe(ending.items.data[0]!.current_period_end);
    const back = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
    expect(back).toMatchObject({ cancel_at: null, canceled_at: null });
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect(await billing.advance(daysToRenewal(subscription), customer.id)).toEqual(['customer.subscription.deleted']);
    expect(await again(subscription)).toMatchObject({ status: 'canceled', ended_at: ending.cancel_at });
  });

  it('that is immediate is final, and listed only with all statuses', async () => {
    const { customer, subscription } = await billing.subscribe();
    expect((await stripe.subscriptions.cancel(subscription.id)).status).toBe('canceled');
    await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({ statusCode: 404 });
    await expect(stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })).rejects.toMatchObject({
      statusCode: 400,
    });
    expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toHaveLength(1);
  });

  it('comes with the deletion of the customer', async () => {
    const { customer, subscription } = await billing.subscribe(14);
    await stripe.customers.del(customer.id);
    expect((await again(subscription)).status).toBe('canceled');
  });
});

describe('the portal', () => {
  it('shows plan, status, card and the way back', async () => {
    const { customer } = await billing.subscribe(14);
    const session = await stripe.billingPortal.sessions.create({ customer: customer.id, return_url: cancelUrl });
    const html = await (await fetch(session.url)).text();
    for (const words of [
      'Tributary',
      '49.00 EUR every month',
      'Free trial',
      'Visa ending in 4242',
      'Cancel subscription',
      'Back to Tributary',
    ])
      expect(html).toContain(words);
    expect(html).not.toContain('Pay invoice');
  });

  it('expires after an hour, and is unavailable for an unknown session', async () => {
    const customer = await billing.customer();
    const session = await stripe.billingPortal.sessions.create({ customer: customer.id, return_url: cancelUrl });
    await billing.advance(0.1, customer.id);
    expect((await fetch(session.url)).status).toBe(410);
    expect((await fetch(`${billing.url}/stripe/portal/bps_none`)).status).toBe(410);
  });

  it('cancels with cancel_at as in flexible billing, and resumes', async () => {
    const { customer, subscription } = await billing.subscribe();
    const cancel_at = subscription.items.data[0]!.current_period_end;
    await billing.portal(customer.id, { decision: 'cancel' });
    expect(await again(subscription)).toMatchObject({ status: 'active', cancel_at_period_end: false, cancel_at });
    await billing.portal(customer.id, { decision: 'resume' });
    expect(await again(subscription)).toMatchObject({ cancel_at_period_end: false, cancel_at: null });
    await billing.portal(customer.id, { decision: 'cancel' });
    await billing.advance(32, customer.id);
    expect(await again(subscription)).toMatchObject({ status: 'canceled', ended_at: cancel_at });
  });

  it('changes the card: a declined one fails at the next renewal, and cannot pay until it is changed again', async () => {
    const { customer, subscription } = await billing.subscribe();
    await billing.portal(customer.id, { decision: 'card', card: 'declined' });
    await billing.advance(daysToRenewal(subscription), customer.id);
    const late = await again(subscription);
    expect(late.status).toBe('past_due');
    const pay = { decision: 'pay', invoice: latestOf(late).id! };
    const refused = await billing.portal(customer.id, pay);
    expect(refused.status).toBe(402);
    expect(await refused.text()).toContain('Your card was declined.');
    await billing.portal(customer.id, { decision: 'card', card: 'works' });
    await billing.portal(customer.id, pay);
    expect((await again(subscription)).status).toBe('active');
  });
});

describe('a status forced by a test', () => {
  it.each(['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused'])(
    'is %s, with an event that says so',
    async (status) => {
      const { customer, subscription } = await billing.subscribe();
      if (status === 'active') await billing.admin(`stripe/subscriptions/${subscription.id}`, { status: 'unpaid' });
      await billing.admin(`stripe/subscriptions/${subscription.id}`, { status });
      const forced = await again(subscription);
      expect(forced.status).toBe(status);
      const { events } = await billing.state(customer.id);
      const sent = events.findLast((event) => event.type.startsWith('customer.subscription.'))!;
      expect(sent.data.object).toMatchObject({ id: subscription.id, status });
      const isOpen = ['incomplete', 'past_due', 'unpaid'].includes(status);
      expect(latestOf(forced).status === 'open').toBe(isOpen);
    },
  );

  it('restores a canceled subscription, and resumes a paused one', async () => {
    const { subscription } = await billing.subscribe();
    await billing.admin(`stripe/subscriptions/${subscription.id}`, { status: 'canceled' });
    await billing.admin(`stripe/subscriptions/${subscription.id}`, { status: 'active' });
    expect(await again(subscription)).toMatchObject({ status: 'active', ended_at: null });
    await billing.admin(`stripe/subscriptions/${subscription.id}`, { status: 'paused' });
    expect((await stripe.subscriptions.resume(subscription.id)).status).toBe('active');
    await expect(stripe.subscriptions.resume(subscription.id)).rejects.toMatchObject({ statusCode: 400 });
  });

  it('is rejected if Stripe has no such status', async () => {
    const { subscription } = await billing.subscribe();
    expect(await billing.admin(`stripe/subscriptions/${subscription.id}`, { status: 'gone' })).toHaveProperty('error');
  });
});
