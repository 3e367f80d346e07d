import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anOrganization, expectStatus } from '../../../test/factories.js';
import { aPayment, anOwner, type Owner, type PaymentScenario, settled, startPayments } from '../../../test/payments/scenario.js';
import type { PaymentEventSample } from './sample.dto.js';

let scenario: PaymentScenario;
let owner: Owner;
beforeAll(async () => {
  scenario = await startPayments();
});
afterAll(() => scenario?.stop());
beforeEach(async () => {
  owner = await anOwner(scenario);
});

const sample = (paymentId: string) =>
  owner.call.post<PaymentEventSample & { code: string }>(`${owner.path}/payments/${paymentId}/sample-events`);

describe('the newest loaded events', () => {
  it('of a payment of another organization are not shown', async () => {
    const payment = await aPayment(owner);
    const other = await anOrganization(scenario.app);
    expect((await other.call.post(`${other.path}/payments/${payment.id}/sample-events`)).status).toBe(404);
  });

  it('are none before the first run has ended', async () => {
    await owner.shop.fault('slow', { delayMs: 3_000 });
    const payment = await aPayment(owner);
    expect(expectStatus(await sample(payment.id), 200).body).toEqual({ items: [], loadedUntil: null });
    await scenario.sandbox.clearFaults();
  });

  it('show amounts of both currencies and the original of a refund, and no e-mail address', async () => {
    await owner.shop.run(
      {
        type: 'payment',
        ref: 'sale',
        amount: 5_000,
        currency: 'jpy',
        exchangeRate: 0.61,
        email: 'buyer@shop.example',
        daysAgo: 2,
      },
      { type: 'refund', payment: 'sale', amount: 1_000, daysAgo: 1 },
      { type: 'payment', amount: 700, isDeclined: true, email: 'other@shop.example', daysAgo: 0.5 },
    );
    const payment = await aPayment(owner, { customerIdType: 'email' });
    await settled(owner, payment.id);
    const { body } = expectStatus(await sample(payment.id), 200);
    const [failed, refund, sale] = body.items;
    expect(body.items.map(({ event }) => event)).toEqual(['payment_failed', 'payment_refunded', 'payment_received']);
    expect(sale).toMatchObject({ amountMinor: 3_050, currency: 'EUR', chargedMinor: 5_000, chargedDecimals: 0, customer: 'b…' });
    expect(refund).toMatchObject({ amountMinor: -610, originalEventId: sale?.eventId });
    expect(failed).toMatchObject({ amountMinor: 0, chargedMinor: 700, customer: 'o…' });
    expect(JSON.stringify(body)).not.toContain('shop.example');
  });

  it('are only those of the chosen events and days', async () => {
    await owner.shop.run(
      { type: 'payment', ref: 'sale', amount: 5_000, daysAgo: 2 },
      { type: 'refund', payment: 'sale', amount: 1_000, daysAgo: 1 },
      { type: 'payment', amount: 900, daysAgo: 20 },
    );
    const payment = await aPayment(owner, { events: ['payment_received'] });
    await settled(owner, payment.id);
    expect((await sample(payment.id)).body.items.map(({ amountMinor }) => amountMinor)).toEqual([5_000]);
  });

  it('are not shown when they happened after the last run', async () => {
    const payment = await aPayment(owner);
    await settled(owner, payment.id);
    await owner.shop.run({ type: 'payment', amount: 900 });
    const { body } = await sample(payment.id);
    expect(body.items).toEqual([]);
    expect(body.loadedUntil).not.toBeNull();
  });

  it('need a key that works', async () => {
    const payment = await aPayment(owner);
    await settled(owner, payment.id);
    await owner.shop.fault('key_expired');
    expect(await sample(payment.id)).toMatchObject({ status: 422, body: { code: 'app.not_connected' } });
    await scenario.sandbox.clearFaults();
  });
});
