import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signatureHeader } from '../src/stripe/deliveries.ts';
import { openShop, Shop } from './stripe-payments.ts';
import { startBilling, startReceiver, until, type Received } from './stripe.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let shop: Shop;
let endpoint: Stripe.WebhookEndpoint;
beforeAll(async () => {
  billing = await startBilling();
  await billing.admin('stripe/settings', { webhookRetryDelaysMs: [50] });
});
beforeEach(async () => {
  receiver = await startReceiver();
  shop = await openShop(billing);
  endpoint = await shop.stripe.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['charge.succeeded', 'refund.created'],
  });
});
afterEach(async () => {
  await billing.clearFaults();
  await billing.admin(`stripe/payments/${shop.id}`, undefined, 'DELETE');
  receiver.close();
});
afterAll(() => billing.close());

const read = ({ body, signature }: Received): Stripe.Event =>
  shop.stripe.webhooks.constructEvent(body, signature, endpoint.secret!);
const arrived = (count: number) =>
  until(
    () => receiver.received,
    (list) => list.length >= count,
  );
const payment = { type: 'payment', ref: 'p', amount: 900 };
const refund = { type: 'refund', payment: 'p' };

it('the signature is that of the official client, for one secret and for two', () => {
  const payload = '{"id":"evt_1","object":"event"}';
  const mac = '0c8670ed117751cc551a20e35839447075c42800ea3cf3e8a2fbda99cd1e6edd';
  expect(signatureHeader(payload, ['whsec_test_secret'], 1_700_000_000)).toBe(`t=1700000000,v1=${mac}`);
  const both = signatureHeader(payload, ['whsec_old', 'whsec_test_secret'], 1_700_000_000);
  expect(both).toMatch(new RegExp(`^t=1700000000,v1=[0-9a-f]{64},v1=${mac}$`));
  const check = (header: string, tolerance: number) =>
    shop.stripe.webhooks.constructEvent(payload, header, 'whsec_test_secret', tolerance);
  expect(check(both, 0).id).toBe('evt_1');
  expect(() => check(both, 300)).toThrow(/outside the tolerance/);
});

describe('an endpoint', () => {
  it.each([
    [{ url: 'not an address', enabled_events: ['*'] }, 'url'],
    [{ url: 'http://127.0.0.1:1', enabled_events: [] }, 'enabled_events'],
  ])('is rejected: %j', async (parameters, param) => {
    const call = shop.stripe.webhookEndpoints.create(parameters as Stripe.WebhookEndpointCreateParams);
    await expect(call).rejects.toMatchObject({ statusCode: 400, param });
  });

  it('needs the right to write, and is listed with it', async () => {
    const reader = await shop.keyWith(['rak_event_read']);
    const writer = await shop.keyWith(['rak_webhook_write']);
    const parameters: Stripe.WebhookEndpointCreateParams = { url: receiver.url, enabled_events: ['*'] };
    await expect(reader.webhookEndpoints.create(parameters)).rejects.toThrow(/Having the 'rak_webhook_write' permission/);
    const { id } = await writer.webhookEndpoints.create(parameters);
    expect((await writer.webhookEndpoints.list()).data.map((listed) => listed.id)).toContain(id);
    expect(await writer.webhookEndpoints.del(id)).toMatchObject({ deleted: true });
    await expect(writer.webhookEndpoints.del(id)).rejects.toMatchObject({ statusCode: 404 });
  });

  it('shows its secret once', async () => {
    expect(endpoint.secret).toMatch(/^whsec_\w{32}$/);
    expect((await shop.stripe.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined();
  });

  it('is created once with an idempotency key', async () => {
    const create = (url: string) =>
      shop.stripe.webhookEndpoints.create({ url, enabled_events: ['*'] }, { idempotencyKey: `endpoint:${shop.id}` });
    const [first, second] = [await create(receiver.url), await create(receiver.url)];
    expect([second.id, second.secret]).toEqual([first.id, first.secret]);
    await expect(create(`${receiver.url}/other`)).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  it('is the last one at 16', async () => {
    const create = () => shop.stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] });
    for (let count = 1; count < 16; count += 1) await create();
    await expect(create()).rejects.toThrow(/maximum of 16 test webhook endpoints/);
  });
});

describe('a webhook', () => {
  it('is signed, and sent for the types of the endpoint only', async () => {
    await shop.run(payment, refund);
    await arrived(2);
    expect(new Set(receiver.received.map((received) => read(received).type))).toEqual(
      new Set(['charge.succeeded', 'refund.created']),
    );
    const bare = receiver.received.map((received) => read(received)).find(({ type }) => type === 'charge.succeeded')!;
    expect(bare.data.object).toMatchObject({ id: shop.idOf('p'), balance_transaction: null });
  });

  it('is not sent to an endpoint that was removed', async () => {
    const other = await startReceiver();
    const { id } = await shop.stripe.webhookEndpoints.create({ url: other.url, enabled_events: ['*'] });
    await shop.stripe.webhookEndpoints.del(id);
    await shop.run(payment);
    await arrived(1);
    expect(other.received).toEqual([]);
    other.close();
  });

  it('of days ago arrives late with a valid signature', async () => {
    await shop.run({ ...payment, daysAgo: 3 });
    await arrived(1);
    expect(Date.now() / 1_000 - read(receiver.received[0]!).created).toBeGreaterThan(3 * 86_400 - 60);
  });

  it('that failed is listed as undelivered until it is accepted', async () => {
    receiver.answers.push(500);
    await billing.admin('stripe/settings', { webhookRetryDelaysMs: [60_000] });
    await shop.run(payment);
    await arrived(1);
    await billing.admin('stripe/settings', { webhookRetryDelaysMs: [50] });
    const missed = async () => (await shop.stripe.events.list({ delivery_success: false })).data;
    const [event] = await missed();
    expect(event!.type).toBe('charge.succeeded');
    expect((await shop.stripe.events.list({ delivery_success: true, limit: 100 })).data.map(({ id }) => id)).not.toContain(
      event!.id,
    );
    await billing.admin(`stripe/payments/${shop.id}/deliver`, { eventId: event!.id });
    await arrived(2);
    expect(read(receiver.received[1]!).id).toBe(event!.id);
  });
});

describe('webhooks under faults', () => {
  it.each([
    ['webhooks_wrong_signature', /No signatures found matching/],
    ['webhooks_old_signature', /outside the tolerance/],
  ])('are rejected by the official client with %s, and repeated correctly', async (fault, message) => {
    await shop.fault(fault, { times: 1 });
    receiver.answers.push(400);
    await shop.run(payment);
    await arrived(2);
    expect(() => read(receiver.received[0]!)).toThrow(message);
    expect(read(receiver.received[1]!).type).toBe('charge.succeeded');
  });

  it('can have two signatures, of which one is valid', async () => {
    await shop.fault('webhooks_two_signatures');
    await shop.run(payment);
    await arrived(1);
    expect(receiver.received[0]!.signature.match(/v1=/g)).toHaveLength(2);
    expect(read(receiver.received[0]!).type).toBe('charge.succeeded');
  });

  it('come twice', async () => {
    await shop.fault('webhooks_twice');
    await shop.run(payment);
    await arrived(2);
    expect(new Set(receiver.received.map((received) => read(received).id)).size).toBe(1);
  });

  it('come out of order', async () => {
    await shop.fault('webhooks_shuffled', { windowMs: 100 });
    await shop.run(payment, refund);
    await arrived(2);
    expect(receiver.received.map((received) => read(received).type)).toEqual(['refund.created', 'charge.succeeded']);
  });

  it('are lost, and stay in the list of undelivered events', async () => {
    await shop.fault('webhooks_dropped', { event: 'charge.succeeded' });
    await shop.run(payment, refund);
    await arrived(1);
    expect(receiver.received.map((received) => read(received).type)).toEqual(['refund.created']);
    const types = async () => (await shop.stripe.events.list({ delivery_success: false })).data.map(({ type }) => type);
    await until(types, (list) => list.length === 1 && list[0] === 'charge.succeeded');
  });

  it('of another account are not affected', async () => {
    const other = await openShop(billing);
    await billing.fault('webhooks_dropped', { accountId: other.id });
    await shop.run(payment);
    await arrived(1);
  });
});

it('a sandbox with a folder keeps accounts, keys, steps and endpoints across a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stripe-payments-'));
  const before = await startBilling({ dataDir });
  const kept = await openShop(before, { currency: 'usd' });
  const gone = await openShop(before);
  await kept.run({ ...payment, daysAgo: 2 }, refund);
  const made = await kept.stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] });
  await before.admin(`stripe/payments/${gone.id}`, undefined, 'DELETE');
  const seeded = await before.admin('stripe/payments/acct_northwindisk');
  const [totals, charges] = [await kept.totals(), (await kept.stripe.charges.list()).data];
  await before.close();

  const after = await startBilling({ dataDir });
  const again = new Shop(after, kept.id, kept.key);
  expect(await again.totals()).toEqual(totals);
  expect((await again.stripe.charges.list()).data).toEqual(charges);
  expect(await after.admin('stripe/payments/acct_northwindisk')).toEqual(seeded);
  await expect(after.client(gone.key).charges.list()).rejects.toMatchObject({ statusCode: 401 });
  expect(receiver.received).toEqual([]);
  await again.run(payment);
  const [{ body, signature }] = (await arrived(1)) as [Received];
  expect(after.stripe.webhooks.constructEvent(body, signature, made.secret!).object).toBe('event');
  await after.close();
  await rm(dataDir, { recursive: true });
});
