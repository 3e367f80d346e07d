import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBilling, startReceiver, until, type Received } from './stripe.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let endpoint: Stripe.WebhookEndpoint;
beforeAll(async () => {
  billing = await startBilling();
  await billing.admin('stripe/settings', { webhookRetryDelaysMs: [50] });
});
beforeEach(async () => {
  receiver = await startReceiver();
  endpoint = await billing.stripe.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['*'],
    api_version: '2026-10-28.endive',
  });
});
afterEach(async () => {
  await billing.clearFaults();
  await billing.stripe.webhookEndpoints.del(endpoint.id);
  receiver.close();
});
afterAll(() => billing.close());

const read = ({ body, signature }: Received): Stripe.Event =>
  billing.stripe.webhooks.constructEvent(body, signature, endpoint.secret!);
const types = (): string[] => receiver.received.map((received) => read(received).type);
const arrived = (count: number) => until(types, (list) => list.length >= count);

describe('a webhook', () => {
  it('is signed over the exact body, which is not compact JSON', async () => {
    await billing.customer();
    await arrived(1);
    const [received] = receiver.received;
    expect(read(received!)).toMatchObject({ type: 'customer.created', api_version: '2026-10-28.endive', pending_webhooks: 1 });
    const rewritten = JSON.stringify(JSON.parse(received!.body));
    expect(() => read({ ...received!, body: rewritten })).toThrow(Stripe.errors.StripeSignatureVerificationError);
    expect(() => billing.stripe.webhooks.constructEvent(received!.body, received!.signature, 'whsec_other')).toThrow();
  });

  it('has the same header as the SDK for the same body, time and secret', async () => {
    await billing.customer();
    await arrived(1);
    const { body: payload, signature } = receiver.received[0]!;
    const timestamp = Number(/^t=(\d+)/.exec(signature)?.[1]);
    const secret = endpoint.secret!;
    expect(billing.stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })).toBe(signature);
  });

  it('is sent for every step of a checkout', async () => {
    await billing.subscribe();
    await until(types, (list) => list.includes('checkout.session.completed') && list.includes('customer.subscription.updated'));
    expect(types()).toEqual(
      expect.arrayContaining([
        'customer.created',
        'payment_method.attached',
        'customer.subscription.created',
        'invoice.finalized',
        'invoice.paid',
      ]),
    );
  });

  it('is retried until it is accepted', async () => {
    receiver.answers.push(500, 302);
    const { id } = await billing.customer();
    await arrived(3);
    expect(new Set(receiver.received.map((received) => read(received).id)).size).toBe(1);
    const { deliveries } = await until(
      () => billing.state(id),
      (state) => state.deliveries[0]?.state === 'delivered',
    );
    expect(deliveries[0]!.attempts.map((attempt) => attempt.status)).toEqual([500, 302, 200]);
  });

  it('is sent to every subscribed endpoint with its own secret', async () => {
    const other = await startReceiver();
    const onlyDeleted = await billing.stripe.webhookEndpoints.create({ url: other.url, enabled_events: ['customer.deleted'] });
    const { id } = await billing.customer();
    await billing.stripe.customers.del(id);
    await arrived(2);
    await until(
      () => other.received.length,
      (count) => count === 1,
    );
    const [{ body, signature }] = other.received as [Received];
    expect(billing.stripe.webhooks.constructEvent(body, signature, onlyDeleted.secret!).type).toBe('customer.deleted');
    expect((await billing.stripe.webhookEndpoints.list()).data.every((listed) => listed.secret === undefined)).toBe(true);
    await billing.stripe.webhookEndpoints.del(onlyDeleted.id);
    other.close();
  });

  it('contains the call that caused it, and can be read later', async () => {
    const { id } = await billing.stripe.customers.create({ email: 'cause@example.com' }, { idempotencyKey: 'customer:cause' });
    const event = (await billing.stripe.events.list({ type: 'customer.created', limit: 1 })).data[0]!;
    expect(event).toMatchObject({ request: { idempotency_key: 'customer:cause' }, data: { object: { id } } });
    expect((await billing.stripe.events.retrieve(event.id)).id).toBe(event.id);
  });

  it('can use a secret provided by a test, which replaces the old one', async () => {
    await billing.stripe.webhookEndpoints.del(endpoint.id);
    const known = { url: receiver.url, secret: 'whsec_known' };
    await billing.admin('stripe/webhook-endpoints', { ...known, secret: 'whsec_before' });
    const { id } = await billing.admin<{ id: string }>('stripe/webhook-endpoints', known);
    await billing.customer();
    await until(
      () => receiver.received.length,
      (count) => count === 1,
    );
    const { body, signature } = receiver.received[0]!;
    expect(billing.stripe.webhooks.constructEvent(body, signature, 'whsec_known').type).toBe('customer.created');
    endpoint = await billing.stripe.webhookEndpoints.retrieve(id);
  });
});

describe('webhooks under faults', () => {
  it('come late', async () => {
    await billing.fault('webhooks_late', { delayMs: 300 });
    const startedAt = Date.now();
    await billing.customer();
    await arrived(1);
    expect(receiver.received[0]!.at - startedAt).toBeGreaterThanOrEqual(290);
  });

  it('come twice', async () => {
    await billing.fault('webhooks_twice', { event: 'customer.created' });
    await billing.customer();
    await arrived(2);
    expect(new Set(receiver.received.map((received) => read(received).id)).size).toBe(1);
  });

  it('come out of order', async () => {
    await billing.fault('webhooks_shuffled', { windowMs: 200 });
    const { id } = await billing.customer();
    await billing.stripe.customers.del(id);
    await arrived(2);
    expect(types()).toEqual(['customer.deleted', 'customer.created']);
  });

  it('are lost until they are resent manually', async () => {
    await billing.fault('webhooks_dropped', { event: 'customer.created' });
    const { id } = await billing.customer();
    await billing.stripe.customers.del(id);
    await arrived(1);
    expect(types()).toEqual(['customer.deleted']);
    const { deliveries } = await billing.state(id);
    const dropped = deliveries.find((delivery) => delivery.state === 'dropped')!;
    await billing.admin('stripe/deliver', { eventId: dropped.eventId });
    await arrived(2);
    expect(types()[1]).toBe('customer.created');
  });
});
