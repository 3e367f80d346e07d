import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startBilling, startReceiver, until } from './stripe.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
beforeAll(async () => {
  billing = await startBilling();
});
afterEach(() => billing.clearFaults());
afterAll(() => billing.close());

describe('Stripe with faults', () => {
  it.each([
    ['down', Stripe.errors.StripeConnectionError],
    ['server_error', Stripe.errors.StripeAPIError],
    ['throttle', Stripe.errors.StripeRateLimitError],
  ] as const)('with the fault %s fails as the SDK knows it, and nothing happens', async (fault, kind) => {
    await billing.fault(fault);
    const email = `${fault}@example.com`;
    await expect(billing.stripe.customers.create({ email })).rejects.toBeInstanceOf(kind);
    await billing.clearFaults();
    expect((await billing.stripe.customers.list({ email })).data).toEqual([]);
  });

  it('is handled by the SDK’s retries, with one customer', async () => {
    await billing.fault('server_error', { times: 2 });
    const retrying = billing.client('sk_test_sandbox', { maxNetworkRetries: 3 });
    await retrying.customers.create({ email: 'patient@example.com' });
    expect((await billing.stripe.customers.list({ email: 'patient@example.com' })).data).toHaveLength(1);
  });

  it.each([
    [false, 0],
    [true, 1],
  ])('stores the 500 of a started call under its key (processed: %s), so only another key helps', async (isApplied, made) => {
    const email = `begun-${isApplied}@example.com`;
    const create = (idempotencyKey: string) => billing.stripe.customers.create({ email }, { idempotencyKey });
    await billing.fault('fail_executing', { isApplied, times: 1 });
    await expect(create(`begun:${isApplied}`)).rejects.toMatchObject({ statusCode: 500 });
    await expect(create(`begun:${isApplied}`)).rejects.toMatchObject({ statusCode: 500 });
    expect((await billing.stripe.customers.list({ email })).data).toHaveLength(made);
    await create(`begun:${isApplied}:1`);
    expect((await billing.stripe.customers.list({ email })).data).toHaveLength(made + 1);
  });

  it('can apply to one resource type only', async () => {
    await billing.fault('server_error', { resource: 'prices' });
    await expect(billing.stripe.prices.list()).rejects.toThrow();
    expect((await billing.stripe.products.list()).data).not.toEqual([]);
  });

  it('can apply to one customer only', async () => {
    const [struck, spared] = [await billing.customer('struck'), await billing.customer('spared')];
    await billing.fault('server_error', { customerId: struck.id });
    await expect(billing.stripe.customers.retrieve(struck.id)).rejects.toThrow();
    expect((await billing.stripe.customers.retrieve(spared.id)).id).toBe(spared.id);
  });

  it('is slow', async () => {
    await billing.fault('slow', { delayMs: 200, times: 1 });
    const startedAt = Date.now();
    await billing.stripe.customers.list();
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(190);
  });
});

describe('a moved clock', () => {
  it('is global or per customer', async () => {
    const [{ customer, subscription }, other] = [await billing.subscribe(14), await billing.subscribe(14)];
    await billing.advance(15, customer.id);
    expect((await billing.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
    expect((await billing.stripe.subscriptions.retrieve(other.subscription.id)).status).toBe('trialing');
    await billing.admin('stripe/advance', { days: 15 });
    expect((await billing.stripe.subscriptions.retrieve(other.subscription.id)).status).toBe('active');
  });

  it('can age stored data while the current time stays the same', async () => {
    const { customer, subscription } = await billing.subscribe(14, 'later');
    const endsAt = subscription.trial_end!;
    await billing.admin('stripe/advance', { days: 16, customerId: customer.id, isAging: true });
    const late = await billing.stripe.subscriptions.retrieve(subscription.id);
    expect(late).toMatchObject({
      status: 'past_due',
      trial_end: endsAt - 16 * 86_400,
      created: subscription.created - 16 * 86_400,
    });
    const { now } = await billing.state(customer.id);
    const { now: everybody } = await billing.admin<{ now: string }>('stripe/state');
    expect(now).toBe(everybody);
  });

  it.each([{ days: 0 }, { days: 'two' }, { days: 1, customerId: 'cus_none' }])('is rejected with %j', async (body) => {
    expect(await billing.admin('stripe/advance', body)).toHaveProperty('error');
  });
});

describe('a sandbox with a folder', () => {
  it('stores everything across a restart, including idempotency keys and undelivered webhooks', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'stripe-'));
    const receiver = await startReceiver();
    const before = await startBilling({ dataDir });
    await before.fault('webhooks_late', { delayMs: 60_000 });
    await before.admin('stripe/webhook-endpoints', { url: receiver.url, secret: 'whsec_kept' });
    const create = (to: typeof before) => to.stripe.customers.create({ email: 'kept@example.com' }, { idempotencyKey: 'kept' });
    const { id } = await create(before);
    await before.admin('stripe/advance', { days: 3 });
    const { now } = await before.state(id);
    await before.close();

    const after = await startBilling({ dataDir });
    expect((await create(after)).id).not.toBe(id);
    expect(await after.stripe.customers.retrieve(id)).toMatchObject({ email: 'kept@example.com' });
    expect(Date.parse((await after.state(id)).now)).toBeGreaterThanOrEqual(Date.parse(now));
    await until(
      () => receiver.received.length,
      (count) => count >= 1,
    );
    const { body, signature } = receiver.received[0]!;
    expect(after.stripe.webhooks.constructEvent(body, signature, 'whsec_kept').data.object).toMatchObject({ id });
    await after.close();
    receiver.close();
    await rm(dataDir, { recursive: true });
  });
});
