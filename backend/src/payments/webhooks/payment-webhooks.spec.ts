import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertMailsOf, alertsOf, untilEventsDelivered } from '../../../test/alerts.js';
import { eventually, expectStatus } from '../../../test/factories.js';
import {
  aPayment,
  anOwner,
  getPayment,
  type Owner,
  type PaymentScenario,
  rowsOf,
  settled,
  startPayments,
  utcDaysAgo,
} from '../../../test/payments/scenario.js';
import { CheckWebhooks } from './check-webhooks.js';
import type { PaymentEntry } from '../payments.dto.js';

const SECRET = 'whsec_of_this_test';
const signal = new AbortController().signal;

let scenario: PaymentScenario;
let owner: Owner;
let payment: PaymentEntry;
beforeAll(async () => {
  scenario = await startPayments();
});
afterAll(() => scenario?.stop());
beforeEach(async () => {
  await scenario.sandbox.clearFaults();
  owner = await anOwner(scenario);
  payment = await aPayment(owner);
  await settled(owner, payment.id);
});

const enter = (secret: string) =>
  owner.call.post<PaymentEntry>(`${owner.path}/payments/${payment.id}/webhook-secret`, { secret });
const now = () => Math.floor(Date.now() / 1_000);
const event = (id: string, created = now()) =>
  JSON.stringify({ id, object: 'event', type: 'charge.succeeded', created, data: { object: { created } } });

interface Sent {
  secret?: string;
  at?: number;
  appId?: string;
  header?: string;
}

async function send(payload: string, { secret = SECRET, at = now(), appId = owner.appId, header }: Sent = {}) {
  const signature = header ?? Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: at });
  const answer = await fetch(`${scenario.app.url}/webhooks/payments/${appId}`, {
    ...{ method: 'POST', body: payload, headers: { 'content-type': 'application/json', 'stripe-signature': signature } },
  });
  return { status: answer.status, body: (await answer.json()) as { code?: string; detail?: string } };
}
/** The address that the payment shows, at the port of the test. */
const addressOf = ({ webhook }: PaymentEntry) => scenario.app.url + new URL(webhook.url).pathname;
const stored = () =>
  scenario.app.database.query<{ id: string }>('select id from payment_webhook_events where payment_id = $1 order by id', [
    payment.id,
  ]);
const applied = async (count: number) => {
  for (;;) {
    const [row] = await scenario.app.database.query<{ open: number; all: number }>(
      `select count(*) filter (where applied_at is null)::int as open, count(*)::int as all
         from payment_webhook_events where payment_id = $1`,
      [payment.id],
    );
    if (row && row.open === 0 && row.all >= count) return settled(owner, payment.id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

describe('a webhook', () => {
  it('with a wrong, old or missing signature, of an unknown app or without a secret gets one and the same answer', async () => {
    const unset = await send(event('evt_1'));
    expectStatus(await enter(SECRET), 200);
    const answers = [
      unset,
      await send(event('evt_1'), { secret: 'whsec_other' }),
      await send(event('evt_1'), { at: now() - 301 }),
      await send(event('evt_1'), { header: '' }),
      await send(event('evt_1'), { header: 't=,v1=' }),
      await send('no json'),
      await send(event('evt_1'), { appId: payment.id }),
      await send(event('evt_1'), { appId: 'nobody' }),
    ];
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code} ${body.detail}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 400, body: { code: 'webhook.signature_invalid' } });
    expect(await stored()).toEqual([]);
  });

  it('of more than 1 MB is not read', async () => {
    expectStatus(await enter(SECRET), 200);
    const large = JSON.stringify({ id: 'evt_1', text: 'x'.repeat(1_100_000) });
    expect((await send(large)).status).toBe(413);
  });

  it('is accepted with the second of two signatures, and stored once however often it comes', async () => {
    expectStatus(await enter(SECRET), 200);
    const payload = event('evt_1');
    const at = now();
    const valid = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp: at });
    const both = valid.replace('v1=', `v1=${'0'.repeat(64)},v1=`);
    for (const header of [both, both, both]) expect((await send(payload, { header })).status).toBe(200);
    expect(await stored()).toEqual([{ id: 'evt_1' }]);
  });

  it('loads what happened at Stripe without waiting for the schedule, on whatever day', async () => {
    expectStatus(await enter(await owner.shop.addEndpoint(addressOf(payment))), 200);
    await owner.shop.fault('webhooks_twice');
    await owner.shop.run({ type: 'payment', amount: 700, daysAgo: 4 }, { type: 'payment', amount: 300 });
    expect(await applied(4)).toMatchObject({ state: 'succeeded' });
    expect((await rowsOf(scenario, owner)).map(({ amount_minor }) => amount_minor)).toEqual(['700', '300']);
    const entry = await getPayment(owner, payment.id);
    expect(entry.webhook).toMatchObject({ secretState: 'entered', missingSince: null });
    expect(entry.lastEventAt).not.toBeNull();
    expect(JSON.stringify(entry)).not.toContain('whsec_');
  });
});

describe('more events than are applied together', () => {
  it('are all applied', async () => {
    expectStatus(await enter(SECRET), 200);
    await scenario.app.database.query(
      `insert into payment_webhook_events (organization_id, payment_id, id, type, happened_at, days, delivered_at)
       select $1, $2, 'evt_' || number, 'charge.succeeded', now(), array[current_date], now() from generate_series(1, 10000) number`,
      [owner.id, payment.id],
    );
    expect((await send(event('evt_last'))).status).toBe(200);
    await applied(10_001);
  });
});

describe('a webhook about a subscription', () => {
  const plan = { type: 'subscription', ref: 'plan', email: 'member@shop.example', items: [{ amount: 1_200 }] };
  const daysOfUpdates = async () => {
    const rows = await scenario.app.database.query<{ day: string }>(
      `select distinct unnest(days)::text as day from payment_webhook_events
        where payment_id = $1 and type = 'customer.subscription.updated' order by day`,
      [payment.id],
    );
    return rows.map(({ day }) => day);
  };

  it('loads a start that lies before the day on which it was created', async () => {
    expectStatus(await enter(await owner.shop.addEndpoint(addressOf(payment))), 200);
    await owner.shop.run({ ...plan, backdatedDays: 4 });
    await applied(1);
    const started = (await rowsOf(scenario, owner)).find((row) => row.event === 'subscription_started');
    expect(started).toMatchObject({ date: utcDaysAgo(4) });
  });

  it('marks no old day for a renewal', async () => {
    await owner.shop.run({ ...plan, daysAgo: 4 });
    expectStatus(await enter(await owner.shop.addEndpoint(addressOf(payment))), 200);
    await owner.shop.run({ type: 'renew', subscription: 'plan' });
    await applied(1);
    expect(await daysOfUpdates()).toEqual([utcDaysAgo(0)]);
  });

  it('marks the days of its start and of its trial when its status changes', async () => {
    await owner.shop.run({ ...plan, daysAgo: 4, trialDays: 2 });
    expectStatus(await enter(await owner.shop.addEndpoint(addressOf(payment))), 200);
    await owner.shop.run({ type: 'change-subscription', subscription: 'plan', status: 'past_due' });
    await applied(1);
    expect(await daysOfUpdates()).toEqual([utcDaysAgo(4), utcDaysAgo(2), utcDaysAgo(0)]);
  });
});

describe('a missing webhook', () => {
  it('is found in the list of events, shown with one action, and its rows are loaded', async () => {
    await owner.shop.run({ type: 'payment', amount: 500 });
    await scenario.app.get(CheckWebhooks).checkAll(signal);
    await applied(1);
    expect(await rowsOf(scenario, owner)).toHaveLength(1);
    const missing = await getPayment(owner, payment.id);
    expect(missing).toMatchObject({ health: 'webhook_missing', failure: { code: 'stripe.webhook_missing' } });
    expect(missing.failure?.action).toContain('Create the webhook endpoint');
    expectStatus(await enter(await owner.shop.addEndpoint(addressOf(payment))), 200);
    await owner.shop.run({ type: 'payment', amount: 600 });
    await applied(3);
    await scenario.app.get(CheckWebhooks).checkAll(signal);
    expect((await getPayment(owner, payment.id)).health).toBe('healthy');
  });

  it('opens one alert with its cause and one action, notified once, which recovers when a webhook arrives', async () => {
    for (const amount of [500, 700]) {
      await owner.shop.run({ type: 'payment', amount });
      await scenario.app.get(CheckWebhooks).checkAll(signal);
    }
    await untilEventsDelivered(scenario.app);
    expect((await alertsOf(owner)).items).toEqual([
      expect.objectContaining({
        ...{ kind: 'payment.webhook_missing', state: 'open', class: 'config', code: 'stripe.webhook_missing' },
        subject: { type: 'payment', id: payment.id, name: payment.name, paymentId: null },
        action: 'Create the webhook endpoint in Stripe and enter its signing secret',
      }),
    ]);
    const headings = async () =>
      (await alertMailsOf(scenario.app, owner.id)).map(({ heading, button }) => [heading, button?.url]);
    const page = `http://localhost:3000/${owner.id}/payment/${payment.id}/configuration`;
    expect(await headings()).toEqual([[`Webhooks of ${payment.name} are missing`, page]]);

    expectStatus(await enter(await owner.shop.addEndpoint(addressOf(payment))), 200);
    await owner.shop.run({ type: 'payment', amount: 600 });
    await eventually(
      () => getPayment(owner, payment.id),
      ({ webhook }) => webhook.lastDeliveryAt !== null,
    );
    await eventually(
      async () => {
        await scenario.app.get(CheckWebhooks).checkAll(signal);
        return alertsOf(owner);
      },
      ({ counts }) => counts.open === 0,
    );
    await untilEventsDelivered(scenario.app);
    expect((await alertsOf(owner)).items).toEqual([expect.objectContaining({ state: 'recovered' })]);
    expect(await headings()).toHaveLength(2);
  });

  it('of a deleted payment has no open alert', async () => {
    await owner.shop.run({ type: 'payment', amount: 500 });
    await scenario.app.get(CheckWebhooks).checkAll(signal);
    expect((await alertsOf(owner, '?state=open')).items).toHaveLength(1);
    expectStatus(await owner.call.delete(`${owner.path}/payments/${payment.id}`), 204);
    expect((await alertsOf(owner, '?state=open')).items).toEqual([]);
  });

  it('that Stripe cannot list now is checked later', async () => {
    await owner.shop.fault('right_missing', { right: 'rak_event_read' });
    await owner.shop.run({ type: 'payment', amount: 500 });
    await scenario.app.get(CheckWebhooks).checkAll(signal);
    expect((await getPayment(owner, payment.id)).webhook.checkedAt).toBeNull();
    await scenario.sandbox.clearFaults();
    await scenario.app.get(CheckWebhooks).checkAll(signal);
    expect((await getPayment(owner, payment.id)).health).toBe('webhook_missing');
  });
});
