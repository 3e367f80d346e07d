import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp } from '../../../test/app.js';
import { startSandbox } from '../../../test/connectors/sandbox-process.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import { type BilledApp, startBilledApp, StripeSandbox, stripeSettings, subscribe } from '../../../test/stripe.js';
import type { Checkout, Subscription } from '../billing.dto.js';

let billed: BilledApp;
let organization: Organization;

beforeAll(async () => {
  billed = await startBilledApp();
});
afterAll(() => billed?.stop());
beforeEach(async () => {
  organization = await anOrganization(billed.app);
});
afterEach(() => billed.stripe.clearFaults());

const subscriptionOf = async (of = organization): Promise<Subscription> =>
  (await of.call.get<Subscription>(`${of.path}/subscription`)).body;
const checkOut = (of = organization) => of.call.post<Checkout>(`${of.path}/subscription/checkout`);
const open = async (of = organization) => expectStatus(await checkOut(of), 200).body;
const checkSession = (sessionId: string, of = organization) => of.call.get(`/billing/session-validity/${of.id}/${sessionId}`);
const untilStatus = (status: string, of = organization) =>
  eventually(
    () => subscriptionOf(of),
    (subscription) => subscription.status === status,
  );

describe('a checkout that was paid', () => {
  beforeEach(() => billed.stripe.fault('webhooks_dropped'));

  it('returns an outage error while Stripe is down, and is invalid for an unknown session', async () => {
    const { sessionId } = await subscribe(organization, billed.stripe);
    await billed.stripe.fault('down');
    const { body } = expectStatus(await checkSession(sessionId), 503);
    expect(body).toMatchObject({
      success: false,
      code: 'billing.unavailable',
      message: 'Failed to check for checkout session validity: Stripe is unavailable or returned an error.',
    });
    expect(expectStatus(await checkSession('cs_test_of_nobody'), 200).body).toEqual({ isValid: false });
    await billed.stripe.clearFaults();
    await eventually(
      () => checkSession(sessionId),
      ({ status, body }) => status === 200 && body['isValid'] === true,
    );
  });

  it('is valid although the subscription cannot be read yet; a job reads it later', async () => {
    const { sessionId, customerId } = await subscribe(organization, billed.stripe);
    await billed.stripe.fault('server_error', { customerId });
    expect(expectStatus(await checkSession(sessionId), 200).body).toEqual({ isValid: true });
    expect((await subscriptionOf()).access).toBe('closed');
    await billed.stripe.clearFaults();
    await eventually(subscriptionOf, ({ access }) => access === 'open');
  });

  it('opens access although the price cannot be read; the plan name follows', async () => {
    const fresh = await startTestApp(stripeSettings(billed.sandbox.url));
    try {
      const theirs = await anOrganization(fresh);
      const { sessionId } = await subscribe(theirs, billed.stripe);
      await billed.stripe.fault('server_error', { resource: 'prices' });
      expect(expectStatus(await checkSession(sessionId, theirs), 200).body).toEqual({ isValid: true });
      expect(await subscriptionOf(theirs)).toMatchObject({ access: 'open', plan: null });
      await billed.stripe.clearFaults();
      expect((await subscriptionOf(theirs)).plan).toMatchObject({ name: 'Tributary' });
    } finally {
      await fresh.stop();
    }
  });
});

describe('an earlier checkout', () => {
  it('of another Stripe account is discarded with its customer', async () => {
    await open();
    const otherSandbox = await startSandbox();
    const other = await startTestApp({ DATABASE_URL: billed.app.database.url, ...stripeSettings(otherSandbox.url) });
    try {
      const moved = { ...organization, call: other.http.as(organization.owner) };
      const { sessionId } = await subscribe(moved, new StripeSandbox(otherSandbox));
      expect(expectStatus(await checkSession(sessionId, moved), 200).body).toEqual({ isValid: true });
      expect(await subscriptionOf(moved)).toMatchObject({ status: 'trialing', access: 'open' });
    } finally {
      await other.stop();
      await otherSandbox.stop();
    }
  });

  it('that does not exist at Stripe is replaced', async () => {
    const first = await open();
    await billed.app.database.query(
      `update subscriptions set last_checkout_session_id = 'cs_test_of_another_account' where organization_id = $1`,
      [organization.id],
    );
    expect((await open()).sessionId).not.toBe(first.sessionId);
  });

  it('with another price is expired, and one with the current price is opened', async () => {
    const first = await open();
    const { product, currency, recurring } = await billed.stripe.client.prices.retrieve('price_tributary_monthly');
    const dearer = await billed.stripe.client.prices.create({
      product: String(product),
      currency,
      unit_amount: 5_900,
      recurring: { interval: recurring!.interval },
    });
    const settings = { ...stripeSettings(billed.sandbox.url), STRIPE_PRICE_ID: dearer.id };
    const repriced = await startTestApp({ DATABASE_URL: billed.app.database.url, ...settings });
    try {
      const second = await open({ ...organization, call: repriced.http.as(organization.owner) });
      expect(second.sessionId).not.toBe(first.sessionId);
      const { line_items } = await billed.stripe.client.checkout.sessions.retrieve(second.sessionId, { expand: ['line_items'] });
      expect(line_items?.data[0]?.price?.id).toBe(dearer.id);
      expect((await billed.stripe.client.checkout.sessions.retrieve(first.sessionId)).status).toBe('expired');
    } finally {
      await repriced.stop();
    }
  });
});

describe('a second subscription', () => {
  it.each(['trialing', 'active', 'past_due', 'unpaid', 'paused', 'incomplete'] as const)(
    'is rejected while one is %s, and the error names the portal',
    async (status) => {
      const { subscriptionId } = await subscribe(organization, billed.stripe);
      await billed.stripe.force(subscriptionId, status);
      expect(expectStatus(await checkOut(), 409).body).toMatchObject({
        code: 'subscription.exists',
        action: expect.stringContaining('portal'),
      });
    },
  );

  it.each(['canceled', 'incomplete_expired'] as const)('can be purchased after one that is %s', async (status) => {
    const { subscriptionId } = await subscribe(organization, billed.stripe);
    await billed.stripe.force(subscriptionId, status);
    await open();
  });
});

describe('the trial', () => {
  it('is still offered after a customer without a subscription was deleted, but not after one with a subscription', async () => {
    expectStatus(await organization.call.post('/billing/customer', { organizationId: organization.id }), 200);
    const [{ customer_id: lost }] = (await billed.app.database.query<{ customer_id: string }>(
      'select customer_id from subscriptions where organization_id = $1',
      [organization.id],
    )) as [{ customer_id: string }];
    await billed.stripe.client.customers.del(lost);
    await eventually(subscriptionOf, ({ hasCustomer }) => !hasCustomer);
    expect((await subscriptionOf()).trialDays).toBe(14);
    const { customerId } = await subscribe(organization, billed.stripe);
    await untilStatus('trialing');
    await billed.stripe.client.customers.del(customerId);
    await eventually(subscriptionOf, ({ hasCustomer }) => !hasCustomer);
    expect((await subscriptionOf()).trialDays).toBe(0);
    await subscribe(organization, billed.stripe);
    expect(await untilStatus('active')).toMatchObject({ trialEndsAt: null });
  });
});

describe('a 5xx response of Stripe', () => {
  it('is not repeated for 24 hours: the next request opens a session', async () => {
    expectStatus(await organization.call.post('/billing/customer', { organizationId: organization.id }), 200);
    await billed.stripe.fault('fail_executing', { resource: 'checkout', times: 1 });
    expectStatus(await checkOut(), 503);
    await open();
  });
});

describe('two concurrent checkout requests', () => {
  it('open one session, in one process or in two, while Stripe is slow', async () => {
    const second = await startTestApp({ DATABASE_URL: billed.app.database.url, ...stripeSettings(billed.sandbox.url) });
    try {
      const elsewhere = { ...organization, call: second.http.as(organization.owner) };
      await billed.stripe.fault('slow', { delayMs: 2_500, resource: 'checkout' });
      const pages = await Promise.all([open(), open(elsewhere), open(), open(elsewhere)]);
      expect(new Set(pages.map(({ sessionId }) => sessionId)).size).toBe(1);
    } finally {
      await second.stop();
    }
  });
});
