import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConversionScenario } from '../conversions/scenario.js';
import { aDestination, eventually, expectStatus } from '../factories.js';
import type { ConversionEventPage } from '../../src/conversions/api/conversion-events.dto.js';
import { aPayment, aStripeApp, type PaymentScenario, settled, Shop, startPayments, type Step } from './scenario.js';

let scenario: PaymentScenario;
beforeAll(async () => {
  scenario = await startPayments();
});
afterAll(() => scenario?.stop());

it('a payment that a webhook announces becomes an event of a conversion', async () => {
  const { organization, ...conversions } = await ConversionScenario.create(scenario.app, scenario.sandbox);
  const shop = await Shop.open(scenario.sandbox);
  const appId = await aStripeApp(organization, shop.key);
  const owner = { ...organization, shop, appId, destinationId: await aDestination(organization, scenario.warehouse) };
  const payment = await aPayment(owner);
  await settled(owner, payment.id);
  const choices = await organization.call.get(`${organization.path}/conversion-setup/sources`);
  expect(choices.body).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ provider: 'stripe', appId })]) });
  const { settings, name } = conversions.action;
  const body = {
    name: 'Sales',
    source: { appId, settings: {} },
    target: { appId: conversions.googleAppId, accountId: '9001000011', name, settings },
    mapping: {
      ...{ id: { field: 'event_id' }, occurredAt: { field: 'occurred_at' }, orderId: { field: 'payment_id' } },
      ...{ value: { field: 'amount' }, currency: { field: 'charged_currency' }, email: { field: 'customer_id' } },
      ...{ adjusts: { field: 'original_event_id' } },
    },
    onUnknownConsent: 'send',
    schedule: { kind: 'manual', timeZone: 'UTC' },
    since: new Date(Date.now() - 86_400_000).toISOString(),
  };
  const made = expectStatus(await organization.call.post<{ id: string }>(`${organization.path}/conversions`, body), 201).body;
  const secret = await shop.addEndpoint(scenario.app.url + new URL(payment.webhook.url).pathname);
  expectStatus(await organization.call.post(`${organization.path}/payments/${payment.id}/webhook-secret`, { secret }), 200);
  await shop.run({ type: 'payment', ref: 'sale', amount: 4_990, email: 'buyer@shop.example' });
  const events = () => organization.call.get<ConversionEventPage>(`${organization.path}/conversions/${made.id}/events`);
  const { body: page } = await eventually(events, ({ body: { items } }) => items.length > 0);
  expect(page.items[0]).toMatchObject({ orderId: shop.idOf('sale') });
  expect(JSON.stringify(page)).not.toContain('buyer@shop.example');
});

/** A conversion of a Stripe account that has run once. */
async function aConversion(settings: object, ...steps: Step[]) {
  const conversions = await ConversionScenario.create(scenario.app, scenario.sandbox);
  const shop = await Shop.open(scenario.sandbox);
  await shop.run(...steps);
  const appId = await aStripeApp(conversions.organization, shop.key);
  const mapping = {
    ...{ id: { field: 'event_id' }, occurredAt: { field: 'occurred_at' }, orderId: { field: 'event_id' } },
    ...{ value: { field: 'amount' }, currency: { field: 'charged_currency' }, email: { field: 'customer_id' } },
    ...{ adjusts: { field: 'original_event_id' } },
  };
  const { id } = await conversions.conversion({}, { source: { appId, settings }, mapping });
  await eventually(
    () => conversions.runs(id),
    (runs) => runs.length > 0 && runs.every(({ state }) => state !== 'running'),
  );
  return { conversions, shop, id };
}

it('a refund that failed is no new order by default', async () => {
  const { conversions, id } = await aConversion(
    {},
    { type: 'payment', ref: 'sale', amount: 10_000, email: 'a@shop.example' },
    { type: 'refund', ref: 'back', payment: 'sale', amount: 1_000 },
    { type: 'change-refund', refund: 'back', status: 'failed' },
  );
  const values = (await conversions.events(id)).map(({ value }) => Number(value));
  expect(values.toSorted((one, other) => one - other)).toEqual([-10, 100]);
});

it('a subscription that began before the days read last becomes an event once', async () => {
  const { conversions, shop, id } = await aConversion({ events: ['subscription_started'] });
  await shop.run({ type: 'subscription', ref: 'late', items: [{ amount: 900 }], email: 'a@shop.example', backdatedDays: 10 });
  for (let run = 1; run <= 2; run += 1) await conversions.runDue(id);
  expect((await conversions.events(id)).map(({ orderId }) => orderId)).toEqual([`${shop.idOf('late')}:subscription_started`]);
});

it.each<[string, object]>([
  ['by default', {}],
  ['also if reversals are selected', { events: ['payment_received', 'payment_reversed', 'payment_refunded'] }],
])('a payment of which a part was captured has the value of that part %s', async (_when, settings) => {
  const { conversions, id } = await aConversion(
    settings,
    { type: 'payment', ref: 'authorized', amount: 10_000, email: 'a@shop.example', isManual: true },
    { type: 'capture', payment: 'authorized', amount: 6_000 },
  );
  expect((await conversions.events(id)).map(({ value, adjusts }) => [Number(value), adjusts])).toEqual([[60, null]]);
});

it.each([
  {
    title: 'a refund that failed',
    settings: { events: ['payment_received', 'payment_refunded', 'refund_failed'] },
    change: { type: 'refund', ref: 'back', payment: 'sale', amount: 1_000 },
    undo: { type: 'change-refund', refund: 'back', status: 'failed' },
    during: 90,
  },
  {
    title: 'a dispute that was won',
    settings: { events: ['payment_received', 'dispute_withdrawn', 'dispute_reinstated'] },
    change: { type: 'dispute', ref: 'back', payment: 'sale' },
    undo: { type: 'change-dispute', dispute: 'back', status: 'won' },
    during: 0,
  },
])('$title gives the order its value back at the platform', async ({ settings, change, undo, during }) => {
  await scenario.sandbox.admin('data-manager/settings', { processingSeconds: 0 });
  const conversions = await ConversionScenario.create(scenario.app, scenario.sandbox);
  const shop = await Shop.open(scenario.sandbox);
  const appId = await aStripeApp(conversions.organization, shop.key);
  await shop.run({ type: 'payment', ref: 'sale', amount: 10_000, email: 'shopper3@example.com', daysAgo: 1 });
  const mapping = {
    ...{ id: { field: 'event_id' }, occurredAt: { field: 'occurred_at' }, orderId: { field: 'payment_id' } },
    ...{ value: { field: 'amount' }, currency: { field: 'charged_currency' }, email: { field: 'customer_id' } },
    ...{ adjusts: { field: 'original_event_id' }, adUserData: { value: 'granted' } },
  };
  const rules = { sendsAdjustments: true, source: { appId, settings }, mapping };
  const { id } = await conversions.conversion({ since: new Date(Date.now() - 3 * 86_400_000).toISOString() }, rules);
  await conversions.ran(id);
  await conversions.runDue(id);
  const [order] = await conversions.events(id);
  const value = async () => {
    await conversions.runDue(id);
    await conversions.runDue(id);
    const ownOrder = (await conversions.received()).find(({ transactionId }) => transactionId.endsWith(order?.dedupeKey ?? '?'));
    return Number(ownOrder?.value);
  };
  expect(await value()).toBe(100);
  await shop.run(change);
  expect(await value()).toBe(during);
  await shop.run(undo);
  expect(await value()).toBe(100);
});

it('a source whose key was revoked keeps the ad platform connected, and events that were read are sent', async () => {
  const { conversions, id } = await aConversion({}, { type: 'payment', ref: 'sale', amount: 4_000, email: 'a@shop.example' });
  const { app } = scenario;
  await app.database.query(`update conversion_events set state = 'queued', attempts = 0 where conversion_id = $1`, [id]);
  const isStripe = 'id in (select source_app_id from conversions where id = $1)';
  await app.database.query(`update apps set state = 'needs_reauth' where ${isStripe}`, [id]);
  await conversions.runDue(id);
  const message = 'Invented needs to be reconnected.';
  expect((await conversions.runs(id))[0]).toMatchObject({ state: 'failed', failure: { code: 'app.needs_reauth', message } });
  const [target] = await app.database.query('select state from apps where id = $1', [conversions.googleAppId]);
  expect(target).toEqual({ state: 'connected' });
  expect((await conversions.events(id)).map(({ attempts }) => attempts)).toEqual([1]);
});

it('a source whose key has expired is named as the side that failed', async () => {
  const conversions = await ConversionScenario.create(scenario.app, scenario.sandbox);
  const shop = await Shop.open(scenario.sandbox);
  const appId = await aStripeApp(conversions.organization, shop.key);
  const mapping = { id: { field: 'event_id' }, occurredAt: { field: 'occurred_at' }, email: { field: 'customer_id' } };
  const { id, failedSide } = await conversions.conversion({}, { source: { appId, settings: {} }, mapping });
  expect(failedSide).toBeNull();
  await conversions.ran(id);
  await shop.fault('key_expired');
  await conversions.runDue(id);
  const expected = { health: 'needs_reauth', failure: { class: 'auth' }, failedSide: 'source' };
  expect(await conversions.entry(id)).toMatchObject(expected);
});
