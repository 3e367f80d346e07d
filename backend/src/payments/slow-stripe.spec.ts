import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shortWaits } from '../../test/app.js';
import { eventually } from '../../test/factories.js';
import {
  aPayment,
  anOwner,
  getPayment,
  type Owner,
  type PaymentScenario,
  settled,
  startPayments,
} from '../../test/payments/scenario.js';
import type { PaymentEntry } from './payments.dto.js';
import type { RecurringRevenueEntry } from './recurring/recurring-revenue.dto.js';
import { CheckWebhooks } from './webhooks/check-webhooks.js';

const TIMEOUT_MS = 1_500;
const DAY_MS = 86_400_000;
const signal = new AbortController().signal;

let scenario: PaymentScenario;
let slow: Owner;
let slowPayment: PaymentEntry;
beforeAll(async () => {
  scenario = await startPayments({}, { ...shortWaits, paymentTimeoutMs: TIMEOUT_MS });
});
afterAll(() => scenario?.stop());
beforeEach(async () => {
  await scenario.sandbox.clearFaults();
  await query('update payments set deleted_at = now() where deleted_at is null');
  [slow, slowPayment] = await ownerWithPayment();
});

const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  scenario.app.database.query<Row>(text, values);
const checkAll = (batch?: number) => scenario.app.get(CheckWebhooks).checkAll(signal, batch);
const hang = (owner: Owner, resource: string, more: object = {}) =>
  owner.shop.fault('slow', { resource, delayMs: 60_000, ...more });

async function ownerWithPayment(): Promise<[Owner, PaymentEntry]> {
  const owner = await anOwner(scenario);
  const payment = await aPayment(owner);
  await settled(owner, payment.id);
  return [owner, payment];
}

describe('an account whose list of events takes too long', () => {
  it('delays no other payment, nor the deletion of old events', async () => {
    const [fast, fastPayment] = await ownerWithPayment();
    await query('update payments set webhooks_checked_at = now() where id = $1', [fastPayment.id]);
    await query(
      `insert into payment_webhook_events (organization_id, payment_id, id, type, happened_at, days, stored_at, applied_at)
       values ($1, $2, 'evt_old', 'charge.succeeded', now(), '{}', now() - interval '36 days', now())`,
      [fast.id, fastPayment.id],
    );
    await hang(slow, 'events');
    await fast.shop.run({ type: 'payment', amount: 500 });
    await checkAll();
    expect((await getPayment(fast, fastPayment.id)).health).toBe('webhook_missing');
    expect((await getPayment(slow, slowPayment.id)).webhook.checkedAt).toBeNull();
    expect(await query(`select id from payment_webhook_events where id = 'evt_old'`)).toEqual([]);
  });

  it('continues where the last check stopped, and counts what each check found', async () => {
    await slow.shop.run({ type: 'payment', amount: 300, daysAgo: 2 });
    await slow.shop.run({ type: 'payment', amount: 500 });
    await query(
      `update payments set created_at = now() - interval '3 days', webhooks_checked_at = now() - interval '3 days' where id = $1`,
      [slowPayment.id],
    );
    await hang(slow, 'events', { afterRequests: 10 });
    await checkAll();
    const stored = () => query('select id from payment_webhook_events where payment_id = $1', [slowPayment.id]);
    const first = (await stored()).length;
    expect(first).toBeGreaterThan(0);
    const { checkedAt } = (await getPayment(slow, slowPayment.id)).webhook;
    expect(Date.parse(checkedAt ?? '')).toBeGreaterThan(Date.now() - 2 * DAY_MS);
    expect(Date.parse(checkedAt ?? '')).toBeLessThan(Date.now() - DAY_MS / 4);
    await scenario.sandbox.clearFaults();
    await checkAll();
    expect((await stored()).length).toBeGreaterThan(first);
    expect(Date.parse((await getPayment(slow, slowPayment.id)).webhook.checkedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('is checked after those that wait longer', async () => {
    const [fast, fastPayment] = await ownerWithPayment();
    await query(`update payments set webhooks_checked_at = now() - interval '1 hour' where id = $1`, [fastPayment.id]);
    await slow.shop.fault('right_missing', { right: 'rak_event_read' });
    await fast.shop.run({ type: 'payment', amount: 500 });
    for (let check = 1; check <= 2; check += 1) await checkAll(1);
    expect((await getPayment(fast, fastPayment.id)).health).toBe('webhook_missing');
  });
});

describe('an account whose subscriptions take too long', () => {
  it('shows it with the recurring revenue, which is computed again without a user', async () => {
    const [fast, fastPayment] = await ownerWithPayment();
    const when = (owner: Owner, id: string, isReady: (entry: RecurringRevenueEntry) => boolean) =>
      eventually(
        async () => (await owner.call.get<RecurringRevenueEntry>(`${owner.path}/payments/${id}/recurring-revenue`)).body,
        isReady,
      );
    await when(slow, slowPayment.id, ({ computedAt }) => computedAt !== null);
    await hang(slow, 'subscriptions');
    await slow.call.post(`${slow.path}/payments/${slowPayment.id}/run`);
    const { failure } = await when(slow, slowPayment.id, (entry) => entry.failure !== null);
    expect(failure).toMatchObject({ class: 'transient', message: 'Stripe did not answer all requests within 1.5 s.' });
    await when(fast, fastPayment.id, ({ computedAt }) => computedAt !== null);
    await scenario.sandbox.clearFaults();
    await when(slow, slowPayment.id, (entry) => entry.failure === null);
  });
});
