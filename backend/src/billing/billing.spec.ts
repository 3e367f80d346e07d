import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../test/factories.js';
import { deliver, signed, StripeSandbox, stripeSettings, subscribe } from '../../test/stripe.js';
import { aMember } from '../../test/teams.js';
import type { Subscription } from './billing.dto.js';

let sandbox: Sandbox;
let stripe: StripeSandbox;
let app: TestApp;
let organization: Organization;

const logged: string[] = [];

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => logged.push(String(text)) > 0);
  sandbox = await startSandbox();
  stripe = new StripeSandbox(sandbox);
  app = await startTestApp({ ROLE: 'all', LOG_LEVEL: 'warn', ...stripeSettings(sandbox.url) });
  await stripe.connect(app);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  organization = await anOrganization(app);
});
afterEach(() => stripe.clearFaults());

const createCustomer = (of = organization) => of.call.post('/billing/customer', { organizationId: of.id });
const subscriptionOf = async (of = organization): Promise<Subscription> =>
  (await of.call.get<Subscription>(`${of.path}/subscription`)).body;
const customersOf = async ({ id }: Organization) =>
  (await stripe.client.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })).filter(
    ({ metadata }) => metadata['organization_id'] === id,
  );
const isValid = async (sessionId: string, of = organization) =>
  expectStatus(await of.call.get(`/billing/session-validity/${of.id}/${sessionId}`), 200).body;

describe('POST /billing/customer', () => {
  it('requires an owner, and rejects the uid or e-mail of another user', async () => {
    const admin = await aMember(app, organization, 'admin');
    expectStatus(await admin.call.post('/billing/customer', { organizationId: organization.id }), 403);
    const { body } = expectStatus(
      await organization.call.post('/billing/customer', { organizationId: organization.id, email: 'victim@example.com' }),
      403,
    );
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(/^Failed to create customer: ./) });
    const other = await anOrganization(app);
    expectStatus(await organization.call.post('/billing/customer', { organizationId: other.id }), 404);
    expect(await customersOf(organization)).toEqual([]);
  });

  it('creates one customer for 100 concurrent requests', async () => {
    const { email, uid } = organization.owner;
    const body = { email, organizationId: organization.id, userId: uid };
    const answers = await Promise.all(Array.from({ length: 100 }, () => organization.call.post('/billing/customer', body)));
    expect(new Set(answers.map((answer) => `${answer.status} ${String(answer.body['customerId'])}`)).size).toBe(1);
    expect(await customersOf(organization)).toEqual([expect.objectContaining({ id: answers[0]!.body['customerId'], email })]);
    expect((await subscriptionOf()).hasCustomer).toBe(true);
  });

  it('returns billing.unavailable while Stripe is down', async () => {
    await stripe.fault('server_error');
    const { body, headers } = expectStatus(await createCustomer(), 503);
    expect(body).toMatchObject({
      success: false,
      code: 'billing.unavailable',
      message: 'Failed to create customer: Stripe is unavailable or returned an error.',
    });
    expect(headers.get('retry-after')).toBe('60');
  });

  it('creates one customer when a response is lost and another owner retries', async () => {
    const second = await aMember(app, organization, 'owner');
    await stripe.fault('fail_after_applying', { times: 1 });
    const { body } = expectStatus(await createCustomer(), 200);
    await app.database.query('update subscriptions set customer_id = null where organization_id = $1', [organization.id]);
    const again = expectStatus(await second.call.post('/billing/customer', { organizationId: organization.id }), 200);
    expect(again.body).toEqual(body);
    expect(await customersOf(organization)).toHaveLength(1);
  });
});

describe('checkout', () => {
  it('requires an owner, and returns billing.unavailable while Stripe is down', async () => {
    const admin = await aMember(app, organization, 'admin');
    const path = `${organization.path}/subscription/checkout`;
    expectStatus(await admin.call.post(path), 403);
    await stripe.fault('down');
    const { body } = expectStatus(await organization.call.post(path), 503);
    expect(body).toMatchObject({ code: 'billing.unavailable', action: 'Try again in a minute' });
    expect(expectStatus(await organization.call.post(`${organization.path}/subscription/refresh`), 200).body).toMatchObject({
      status: 'none',
    });
  });

  it('opens one session for repeated requests, with a trial for the first subscription', async () => {
    const path = `${organization.path}/subscription/checkout`;
    expect(await subscriptionOf()).toMatchObject({ status: 'none', access: 'closed', trialDays: 14, hasCustomer: false });
    const answers = await Promise.all(Array.from({ length: 5 }, () => organization.call.post(path)));
    const again = await organization.call.post(path);
    expect(new Set([...answers, again].map((answer) => `${answer.status} ${String(answer.body['sessionId'])}`)).size).toBe(1);
    const session = await stripe.client.checkout.sessions.retrieve(String(again.body['sessionId']));
    expect(session).toMatchObject({
      client_reference_id: organization.id,
      success_url: `http://localhost:3000/${organization.id}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `http://localhost:3000/${organization.id}/subscription/failure`,
    });
    await stripe.pay(String(again.body['url']));
    const subscribed = await eventually(subscriptionOf, ({ status }) => status === 'trialing');
    expect(subscribed).toMatchObject({ access: 'open', trialDays: 14, hasCustomer: true, closedAt: null, graceEndsAt: null });
    expect(subscribed.plan).toEqual({
      ...{ name: 'Tributary', amountMinor: 4_900, decimals: 2, currency: 'EUR', interval: 'month', intervalCount: 1 },
    });
    const days = (Date.parse(subscribed.trialEndsAt!) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(14);
    expect(expectStatus(await organization.call.post(path), 409).body).toMatchObject({ code: 'subscription.exists' });
  });

  it('returns the decimals of the price in Stripe’s unit, and the number of months of a period', async () => {
    const { customerId } = await subscribe(organization, stripe);
    const product = await stripe.client.products.create({ name: 'Quarterly' });
    const { id: price } = await stripe.client.prices.create({
      ...{ product: product.id, currency: 'isk', unit_amount: 500_000, recurring: { interval: 'month', interval_count: 3 } },
    });
    await stripe.client.subscriptions.create({ customer: customerId, items: [{ price }] });
    const { plan } = await eventually(subscriptionOf, (subscription) => subscription.plan?.name === 'Quarterly');
    expect(plan).toMatchObject({ amountMinor: 500_000, decimals: 2, currency: 'ISK', interval: 'month', intervalCount: 3 });
  });

  it('offers no second trial', async () => {
    const { subscriptionId } = await subscribe(organization, stripe);
    await stripe.force(subscriptionId, 'canceled');
    await eventually(subscriptionOf, ({ status }) => status === 'canceled');
    await subscribe(organization, stripe);
    expect(await eventually(subscriptionOf, ({ status }) => status === 'active')).toMatchObject({ trialEndsAt: null });
  });
});

describe('the portal', () => {
  it('is available once there is a customer', async () => {
    const path = `${organization.path}/subscription/portal`;
    expect(expectStatus(await organization.call.post(path), 409).body).toMatchObject({ code: 'subscription.no_customer' });
    await createCustomer();
    expect(expectStatus(await organization.call.post(path), 200).body).toEqual({ url: expect.stringMatching(/^http/) });
    await stripe.fault('down');
    expectStatus(await organization.call.post(path), 503);
  });

  it.each([
    ['an error', 'portal_not_configured', 50, { type: 'StripeInvalidRequestError', status: 400 }],
    ['a warning', 'server_error', 40, { type: 'StripeAPIError', status: 500 }],
  ])('that Stripe does not open leads to %s in the log', async (_level, fault, level, cause) => {
    await createCustomer();
    await stripe.fault(fault);
    logged.length = 0;
    expectStatus(await organization.call.post(`${organization.path}/subscription/portal`), 503);
    const requestId = expect.stringMatching(/^req_/) as string;
    const entries = logged.map((line) => JSON.parse(line) as { msg: string });
    expect(entries.filter(({ msg }) => msg === 'a request to Stripe failed')).toMatchObject([
      { level, stripe: { ...cause, requestId } },
    ]);
  });
});

describe('a plan that was canceled in the portal', () => {
  it('has access until its end date, and renews after it is resumed', async () => {
    const { subscriptionId } = await subscribe(organization, stripe);
    await eventually(subscriptionOf, ({ access }) => access === 'open');
    const { body } = await organization.call.post<{ url: string }>(`${organization.path}/subscription/portal`);
    await stripe.act(body.url, 'cancel');
    const { cancel_at, cancel_at_period_end } = await stripe.client.subscriptions.retrieve(subscriptionId);
    expect(cancel_at_period_end).toBe(false);
    expect(await eventually(subscriptionOf, ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd)).toMatchObject({
      access: 'open',
      currentPeriodEnd: new Date(cancel_at! * 1_000).toISOString(),
    });
    await stripe.act(body.url, 'resume');
    await eventually(subscriptionOf, ({ cancelAtPeriodEnd }) => !cancelAtPeriodEnd);
  });
});

describe('a refresh', () => {
  it('queries Stripe at most every two seconds for concurrent requests, also during an outage', async () => {
    // A webhook would trigger another sync.
    await stripe.fault('webhooks_dropped');
    const { customerId } = expectStatus(await createCustomer(), 200).body as { customerId: string };
    await stripe.fault('server_error');
    const beganMs = Date.now();
    for (let wave = 0; wave < 3; wave += 1)
      await Promise.all(Array.from({ length: 10 }, () => organization.call.post(`${organization.path}/subscription/refresh`)));
    // Each attempt is one request and one retry of the SDK.
    const allowed = 2 * (1 + Math.floor((Date.now() - beganMs) / 2_000));
    const requests = await stripe.countQuestions(customerId);
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(allowed);
  });
});

describe('a checkout session', () => {
  it('is not valid when it belongs to another organization, is unpaid or does not exist', async () => {
    const other = await anOrganization(app);
    const theirs = await subscribe(other, stripe);
    await createCustomer();
    const open = await organization.call.post(`${organization.path}/subscription/checkout`);
    expect(await isValid(theirs.sessionId)).toEqual({ isValid: false });
    expect(await isValid(String(open.body['sessionId']))).toEqual({ isValid: false });
    expect(await isValid('cs_test_of_nobody')).toEqual({ isValid: false });
    expect(await isValid(encodeURIComponent('../customers'))).toEqual({ isValid: false });
    expectStatus(await organization.call.get(`/billing/session-validity/${other.id}/${theirs.sessionId}`), 404);
    expect(await isValid(theirs.sessionId, other)).toEqual({ isValid: true });
  });

  it('that was paid opens access without a webhook', async () => {
    await stripe.fault('webhooks_dropped');
    const { sessionId } = await subscribe(organization, stripe);
    expect((await subscriptionOf()).access).toBe('closed');
    expect(await isValid(sessionId)).toEqual({ isValid: true });
    expect(await subscriptionOf()).toMatchObject({ status: 'trialing', access: 'open' });
  });

  it('is validated with the stored state while Stripe is down', async () => {
    const { sessionId } = await subscribe(organization, stripe);
    await eventually(subscriptionOf, ({ access }) => access === 'open');
    await stripe.fault('down');
    expect(await isValid(sessionId)).toEqual({ isValid: true });
    expect(await isValid('cs_test_of_nobody')).toEqual({ isValid: false });
  });
});

describe('a webhook', () => {
  const storedTimes = async ({ id }: { id: string }) =>
    (await app.database.query('select id from stripe_events where id = $1', [id])).length;
  const anEvent = (customer: string, id = `evt_${Math.random().toString(36).slice(2)}`) => ({
    id,
    object: 'event',
    type: 'customer.subscription.updated',
    created: Math.floor(Date.now() / 1_000),
    data: { object: { object: 'subscription', id: 'sub_1', customer } },
  });

  it('with a missing, wrong or old signature, or one of other bytes, is rejected, and nothing is stored', async () => {
    const { body } = await createCustomer();
    const event = anEvent(String(body['customerId']));
    const good = signed(event);
    const old = signed(event, undefined, Math.floor(Date.now() / 1_000) - 301);
    const rejected = [
      { ...good, signature: '' },
      { ...good, payload: good.payload.replace('updated', 'deleted') },
      { ...good, payload: ` ${good.payload}` },
      signed(event, 'whsec_of_somebody_else'),
      old,
    ];
    for (const attempt of rejected) {
      const answer = await deliver(app, attempt);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'webhook.signature_invalid' });
    }
    expect(await storedTimes(event)).toBe(0);
    expect((await deliver(app, good)).status).toBe(200);
    expect(await storedTimes(event)).toBe(1);
  });

  it('of an unknown customer is acknowledged and ignored', async () => {
    const event = anEvent('cus_of_nobody');
    const answer = await deliver(app, signed(event));
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    expect(await storedTimes(event)).toBe(0);
  });

  it('is stored once when it is repeated, and acknowledged while Stripe is down', async () => {
    const { body } = await createCustomer();
    await stripe.fault('down');
    const event = anEvent(String(body['customerId']));
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(app, signed(event))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await storedTimes(event)).toBe(1);
  });

  it('that arrives while Stripe is down is processed later', async () => {
    const { subscriptionId } = await subscribe(organization, stripe);
    await eventually(subscriptionOf, ({ status }) => status === 'trialing');
    await stripe.fault('down');
    await stripe.force(subscriptionId, 'past_due');
    const failed = () =>
      app.database.query<{ attempts: number }>(
        `select attempts from graphile_worker.jobs where key = 'sync-subscription:' || $1 and attempts > 0`,
        [organization.id],
      );
    await eventually(failed, (jobs) => jobs.length > 0);
    await stripe.clearFaults();
    expect(await eventually(subscriptionOf, ({ status }) => status === 'past_due')).toMatchObject({ access: 'grace' });
  });
});

describe('while Stripe is down', () => {
  it('only requests that open a Stripe page fail', async () => {
    const { sessionId } = await subscribe(organization, stripe);
    await eventually(subscriptionOf, ({ access }) => access === 'open');
    await stripe.fault('down');
    const { id, path, call } = organization;
    const reading = ['', '/subscription', '/usage', '/connections', '/apps', '/members', '/audit-events'].map(
      (end) => path + end,
    );
    const document = `/api/getOrganizationData?documentId=${id}&type=subscription`;
    for (const each of [...reading, document, `/billing/session-validity/${id}/${sessionId}`, '/config.json'])
      expectStatus(await call.get(each), 200);
    expectStatus(await call.post(`${path}/subscription/refresh`), 200);
    expectStatus(await call.post(`${path}/apps`, { provider: 'google_ads' }), 201);
    expectStatus(await call.post(`${path}/invitations`, { email: 'guest@example.com', role: 'viewer' }), 201);
    expectStatus(await call.post('/billing/customer', { organizationId: id }), 200);
    expectStatus(await call.post(`${path}/subscription/checkout`), 503);
    expectStatus(await call.post(`${path}/subscription/portal`), 503);
  });
});

describe('a deleted organization', () => {
  it('has its subscription canceled at the end of the period, also when Stripe was down at the deletion', async () => {
    const { subscriptionId } = await subscribe(organization, stripe);
    await eventually(subscriptionOf, ({ access }) => access === 'open');
    await stripe.fault('down');
    expectStatus(await organization.call.delete(`${organization.path}?confirmName=Northwind`), 204);
    const failed = () =>
      app.database.query(`select 1 from graphile_worker.jobs where key = 'end-billing:' || $1 and attempts > 0`, [
        organization.id,
      ]);
    await eventually(failed, (jobs) => jobs.length > 0);
    await stripe.clearFaults();
    await eventually(
      () => stripe.client.subscriptions.retrieve(subscriptionId),
      (subscription) => subscription.cancel_at_period_end,
    );
    expectStatus(await organization.call.post(`${organization.path}/restore`), 200);
    expect(await eventually(subscriptionOf, ({ cancelAtPeriodEnd }) => !cancelAtPeriodEnd)).toMatchObject({ access: 'open' });
  });
});

describe('while Stripe is slow', () => {
  it('the subscription is returned without delay, and with its price once Stripe has responded', async () => {
    const fresh = await startTestApp(stripeSettings(sandbox.url));
    try {
      await stripe.fault('slow', { delayMs: 4_000 });
      const theirs = await anOrganization(fresh);
      // A response that waited for Stripe would contain the price.
      expect((await subscriptionOf(theirs)).plan).toBeNull();
      await eventually(
        () => subscriptionOf(theirs),
        ({ plan }) => plan?.name === 'Tributary',
      );
    } finally {
      await fresh.stop();
    }
  });
});

describe('grace', () => {
  it('lasts 7 days from the failed payment, also with repeated syncs', async () => {
    const { subscriptionId } = await subscribe(organization, stripe);
    await stripe.force(subscriptionId, 'past_due');
    const late = await eventually(subscriptionOf, ({ status }) => status === 'past_due');
    expect(Math.round((Date.parse(late.graceEndsAt!) - Date.now()) / 3_600_000)).toBe(7 * 24);
    await app.database.query(`update subscriptions set synced_at = now() - interval '1 hour' where organization_id = $1`, [
      organization.id,
    ]);
    const { body } = await organization.call.post<Subscription>(`${organization.path}/subscription/refresh`);
    expect(body.graceEndsAt).toBe(late.graceEndsAt);
    expect(Date.parse(body.syncedAt!)).toBeGreaterThan(Date.parse(late.syncedAt!));
    // One week later in database time.
    await app.database.query(`update subscriptions set grace_ends_at = now() - interval '1 minute' where organization_id = $1`, [
      organization.id,
    ]);
    const lapsed = await subscriptionOf();
    expect(lapsed).toMatchObject({ access: 'closed', closedAt: lapsed.graceEndsAt });
  });
});

describe('a customer', () => {
  it('that was deleted at Stripe closes access, and a new customer can subscribe', async () => {
    const { customerId } = await subscribe(organization, stripe);
    await eventually(subscriptionOf, ({ access }) => access === 'open');
    await stripe.client.customers.del(customerId);
    const closed = await eventually(subscriptionOf, ({ hasCustomer }) => !hasCustomer);
    expect(closed).toMatchObject({ status: 'canceled', access: 'closed', trialDays: 0 });
    expect((await subscribe(organization, stripe)).customerId).not.toBe(customerId);
    await eventually(subscriptionOf, ({ access }) => access === 'open');
  });
});
