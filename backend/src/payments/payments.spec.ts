import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertMailsOf, alertsOf, untilEventsDelivered } from '../../test/alerts.js';
import { aDestination, anOrganization, eventually, expectStatus } from '../../test/factories.js';
import {
  aPayment,
  aStripeApp,
  anOwner,
  getPayment,
  type Owner,
  type PaymentScenario,
  rowsOf,
  settled,
  Shop,
  startPayments,
  utcDaysAgo,
} from '../../test/payments/scenario.js';
import { Alerts } from '../alerts/index.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { PaymentEntry, PaymentPage } from './payments.dto.js';

const RACES = 15;
const ALL_RIGHTS = [
  ...['rak_accounts_kyc_basic_read', 'rak_balance_transaction_source_read', 'rak_charge_read', 'rak_coupon_read'],
  ...['rak_customer_read', 'rak_dispute_read', 'rak_event_read', 'rak_subscription_read'],
];

let scenario: PaymentScenario;
let owner: Owner;
beforeAll(async () => {
  scenario = await startPayments();
});
afterAll(() => scenario?.stop());
beforeEach(async () => {
  owner = await anOwner(scenario);
});

const create = (more: object = {}) =>
  owner.call.post<PaymentEntry & { code: string; action: string; detail: string }>(`${owner.path}/payments`, {
    ...{ name: 'Shop', appId: owner.appId, destinationIds: [owner.destinationId], historyFrom: utcDaysAgo(2) },
    ...more,
  });
const act = (payment: PaymentEntry, action: string) =>
  owner.call.post<PaymentEntry & { code: string }>(`${owner.path}/payments/${payment.id}/${action}`);
const change = (payment: PaymentEntry, body: object) =>
  owner.call.patch<PaymentEntry & { code: string }>(`${owner.path}/payments/${payment.id}`, {
    version: payment.version,
    ...body,
  });

describe('a Stripe app', () => {
  const connect = (apiKey: string) =>
    owner.call.post<{ code: string; detail: string; action: string }>(`${owner.path}/apps`, {
      ...{ provider: 'stripe', credentials: { apiKey } },
    });

  it.each(['sk_live_1234567890', 'rk_test_', 'not a key'])('with %j instead of a restricted key is rejected', async (key) => {
    expect(await connect(key)).toMatchObject({ status: 400, body: { errors: [{ field: 'credentials.apiKey' }] } });
  });

  it('with a key that Stripe does not know, or that has expired, is not saved', async () => {
    expect(await connect('rk_test_unknown_key')).toMatchObject({ status: 422, body: { code: 'provider.failed' } });
    const expired = await connect(await owner.shop.keyWith(['rak_charge_read'], true));
    expect(expired).toMatchObject({ status: 422, body: { detail: expect.stringContaining('expired') } });
  });

  it('names all missing permissions and one action', async () => {
    const { status, body } = await connect(await owner.shop.keyWith(['rak_accounts_kyc_basic_read', 'rak_charge_read']));
    expect(status).toBe(422);
    for (const name of ['Balance transaction sources', 'Customers', 'Disputes', 'Events', 'Subscriptions'])
      expect(body.detail).toContain(name);
    expect(body.detail).not.toContain('Charges');
    expect(body.action).toContain('give the key read access to');
  });

  it('shows a hint of its key and never the key', async () => {
    const { body } = await owner.call.get<{ credentialHint: string }>(`${owner.path}/apps/${owner.appId}`);
    expect(body).toMatchObject({ provider: 'stripe', authMode: 'api_key', state: 'connected', roles: ['source'] });
    expect(body.credentialHint).toBe(`rk_test_…${owner.shop.key.slice(-4)}`);
    expect(JSON.stringify(body)).not.toContain(owner.shop.key);
    const [row] = await scenario.app.database.query<{ credentials: string }>('select credentials from apps where id = $1', [
      owner.appId,
    ]);
    expect(row?.credentials).not.toContain(owner.shop.key);
  });

  it('takes another key of the same account, and none of another account', async () => {
    const enter = (apiKey: string) =>
      owner.call.post(`${owner.path}/apps/${owner.appId}/credentials`, { credentials: { apiKey } });
    const other = await Shop.open(scenario.sandbox);
    expect(await enter(other.key)).toMatchObject({ status: 422, body: { detail: expect.stringContaining(owner.shop.id) } });
    expect(await enter(owner.shop.key)).toMatchObject({ status: 200, body: { state: 'connected' } });
  });

  it('takes no live key in place of a test key of the same account', async () => {
    const { key } = await owner.shop.sandbox.admin<{ key: string }>(`stripe/payments/${owner.shop.id}/keys`, {
      ...{ rights: [...ALL_RIGHTS], isLive: true },
    });
    const answer = await owner.call.post<{ detail: string; action: string }>(`${owner.path}/apps/${owner.appId}/credentials`, {
      credentials: { apiKey: key },
    });
    expect(answer).toMatchObject({ status: 422, body: { action: 'Connect it as a new app' } });
    expect(answer.body.detail).toBe('This is a live key, and the app was connected with a test key.');
  });

  it('notifies each time that its key dies, and once a new key was entered', async () => {
    const { app, sandbox } = scenario;
    const mails = async (): Promise<string[]> => {
      await untilEventsDelivered(app);
      return (await alertMailsOf(app, owner.id)).map(({ name }) => name);
    };
    const keyDies = async (): Promise<void> => {
      await owner.shop.fault('key_expired');
      await act(payment, 'run');
      await eventually(() => alertsOf(owner), ({ counts }) => counts.open === 1); // prettier-ignore
      await settled(owner, payment.id);
      await sandbox.clearFaults();
    };
    const payment = await aPayment(owner);
    await settled(owner, payment.id);
    await keyDies();
    expect((await alertsOf(owner)).items).toMatchObject([{ kind: 'app.needs_reauth', subject: { id: owner.appId } }]);
    expect(await mails()).toEqual(['alert-opened']);

    const key = { credentials: { apiKey: owner.shop.key } };
    expectStatus(await owner.call.post(`${owner.path}/apps/${owner.appId}/credentials`, key), 200);
    expect((await alertsOf(owner)).items).toMatchObject([{ kind: 'app.needs_reauth', state: 'recovered' }]);
    expect(await mails()).toEqual(['alert-opened', 'alert-recovered']);
    await settled(owner, payment.id);
    await keyDies();
    expect(await mails()).toEqual(['alert-opened', 'alert-recovered', 'alert-opened']);
  });

  it('raises one product event when its key is entered again', async () => {
    const raised = () =>
      scenario.app.database.query(
        `select id from outbox_messages where name = 'Source Reauthenticated' and organization_id = $1`,
        [owner.id],
      );
    expect(await raised()).toEqual([]);
    const key = { credentials: { apiKey: owner.shop.key } };
    expectStatus(await owner.call.post(`${owner.path}/apps/${owner.appId}/credentials`, key), 200);
    expect(await raised()).toHaveLength(1);
  });

  it('cannot be deleted while a payment uses it', async () => {
    const payment = await aPayment(owner);
    const path = `${owner.path}/apps/${owner.appId}`;
    expect(await owner.call.delete(path)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('a payment') } });
    expectStatus(await owner.call.delete(`${owner.path}/payments/${payment.id}`), 204);
    expectStatus(await owner.call.delete(path), 204);
  });
});

describe('a payment of an account that settles in several currencies', () => {
  const probe = async () => expectStatus(await owner.call.post(`${owner.path}/apps/${owner.appId}/probe`), 200);
  const sales = async () =>
    (await rowsOf(scenario, owner)).map(({ account_id, currency, amount_minor }) => [account_id, currency, amount_minor]);
  const settleIn = (currency: string, more: object = {}) => ({ type: 'settle-in', currency, ...more });
  const runAgain = async (payment: PaymentEntry) => {
    await act(payment, 'run');
    return settled(owner, payment.id);
  };

  it('loads a currency that is not among the newest 100 transactions', async () => {
    const euros = Array.from({ length: 101 }, () => ({ type: 'payment', amount: 100, daysAgo: 1 }));
    await owner.shop.run(settleIn('usd'), { type: 'payment', amount: 7_000, currency: 'usd', daysAgo: 3 }, ...euros);
    const payment = await aPayment(owner);
    await settled(owner, payment.id);
    await untilEventsDelivered(scenario.app);
    await probe();
    expect(await runAgain(payment)).toMatchObject({ state: 'succeeded', slicesSkipped: 0 });
    expect(await sales()).toHaveLength(102);
    expect(await sales()).toContainEqual([`${owner.shop.id}/usd`, 'USD', '7000']);
  });

  it('loads a currency that was added later', async () => {
    await owner.shop.run({ type: 'payment', amount: 100, daysAgo: 2 });
    const payment = await aPayment(owner);
    await settled(owner, payment.id);
    await owner.shop.run(settleIn('usd'), { type: 'payment', amount: 7_000, currency: 'usd', daysAgo: 1 });
    await probe();
    await untilEventsDelivered(scenario.app);
    expect(await settled(owner, payment.id)).toMatchObject({ state: 'succeeded' });
    expect(await sales()).toContainEqual([`${owner.shop.id}/usd`, 'USD', '7000']);
    expect((await getPayment(owner, payment.id)).netRevenue30Days.map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
  });

  it('keeps the currency of its accounts when the default currency changes', async () => {
    await owner.shop.run({ type: 'payment', amount: 100, daysAgo: 2 });
    const payment = await aPayment(owner);
    await settled(owner, payment.id);
    await owner.shop.run(settleIn('usd', { isDefault: true }), { type: 'payment', amount: 7_000, daysAgo: 1 });
    await probe();
    await untilEventsDelivered(scenario.app);
    await settled(owner, payment.id);
    await runAgain(payment);
    expect(await sales()).toEqual([
      [owner.shop.id, 'EUR', '100'],
      [`${owner.shop.id}/usd`, 'USD', '7000'],
    ]);
    expect((await getPayment(owner, payment.id)).netRevenue30Days).toMatchObject([
      { currency: 'EUR', amountMinor: 100 },
      { currency: 'USD', amountMinor: 7_000 },
    ]);
  });
});

describe('a payment', () => {
  it.each<[string, object, number]>([
    ['without destinations', { destinationIds: [] }, 400],
    ['with an unknown event', { events: ['payment_made'] }, 400],
    ['with an unknown customer id', { customerIdType: 'phone' }, 400],
    ['with a metadata key of brackets', { customerIdType: 'metadata:a[b]' }, 400],
    ['with a history that is no day', { historyFrom: '2026-02-30' }, 400],
    ['with a destination of nobody', { destinationIds: ['0192f0c1-7a5e-7c3a-9f1e-5b8f6a2d4c10'] }, 404],
    ['with an app of nobody', { appId: '0192f0c1-7a5e-7c3a-9f1e-5b8f6a2d4c10' }, 404],
  ])('%s is rejected', async (_what, more, status) => {
    expect((await create(more)).status).toBe(status);
  });

  it('of another organization does not exist', async () => {
    const payment = await aPayment(owner);
    const other = await anOrganization(scenario.app);
    expect((await other.call.get(`${other.path}/payments/${payment.id}`)).status).toBe(404);
    expect((await other.call.get<PaymentPage>(`${other.path}/payments`)).body.items).toEqual([]);
  });

  it('loads every event once, verified, with amounts of Stripe and refunds that name their payment', async () => {
    await owner.shop.run(
      { type: 'payment', ref: 'sale', amount: 5_000, email: 'a@shop.example', daysAgo: 3 },
      { type: 'refund', payment: 'sale', amount: 2_000, daysAgo: 2 },
      { type: 'payment', ref: 'declined', amount: 900, isDeclined: true, daysAgo: 1 },
    );
    const payment = await aPayment(owner, { customerIdType: 'email' });
    expect(await settled(owner, payment.id)).toMatchObject({ state: 'succeeded', rowsRead: 3 });
    const rows = await rowsOf(scenario, owner);
    expect(rows.map(({ event, amount_minor, amount_micros }) => [event, amount_minor, amount_micros])).toEqual([
      ['payment_received', '5000', '50000000'],
      ['payment_refunded', '-2000', '-20000000'],
      ['payment_failed', '0', '0'],
    ]);
    expect(rows[0]).toMatchObject({ customer_id: 'a@shop.example', currency: 'EUR', date: utcDaysAgo(3) });
    expect(rows[1]?.original_event_id).toBe(rows[0]?.event_id);
    expect(await getPayment(owner, payment.id)).toMatchObject({
      health: 'healthy',
      lastEventDay: utcDaysAgo(1),
      netRevenue30Days: [{ currency: 'EUR', amountMinor: 3_000, decimals: 2 }],
      destinations: [{ table: 'payment_events', provider: 'postgresql' }],
    });
    const [reported] = await scenario.app.database.query<{ day: string }>(
      `select (last_event_at at time zone 'UTC')::date::text as day from reporting.payments_v1 where payment_id = '${payment.id}'`,
    );
    expect(reported).toEqual({ day: utcDaysAgo(1) });
  });

  it('is the only one of its app, and of its Stripe account at a destination', async () => {
    await aPayment(owner);
    expect(await create()).toMatchObject({ status: 409, body: { code: 'payment.app_taken' } });
    const again = await aStripeApp(owner, owner.shop.key);
    expect(await create({ appId: again })).toMatchObject({ status: 409, body: { code: 'payment.destination_taken' } });
  });

  it('shows no source and no connection of its own, and they cannot be changed alone', async () => {
    const payment = await aPayment(owner);
    const list = async (kind: string) => (await owner.call.get<{ items: unknown[] }>(`${owner.path}/${kind}`)).body.items;
    expect(await list('connections')).toEqual([]);
    expect(await list('sources')).toEqual([]);
    const connection = `${owner.path}/connections/${payment.destinations[0]?.connectionId}`;
    expect((await owner.call.post(`${connection}/pause`)).status).toBe(404);
    expect((await owner.call.delete(connection)).status).toBe(404);
    expect((await owner.call.get(`${connection}/coverage?from=${utcDaysAgo(2)}&to=${utcDaysAgo(0)}`)).status).toBe(200);
  });

  it('that is changed by two users at once keeps the first change', async () => {
    const payment = await aPayment(owner);
    expectStatus(await change(payment, { name: 'First' }), 200);
    expect(await change(payment, { name: 'Second' })).toMatchObject({ status: 409, body: { code: 'conflict.version' } });
    expect((await getPayment(owner, payment.id)).name).toBe('First');
  });

  it('loads all days again when events, customer ids or amounts change', async () => {
    await owner.shop.run({ type: 'payment', ref: 'sale', amount: 5_000, email: 'a@shop.example', daysAgo: 4 });
    const payment = await aPayment(owner);
    await settled(owner, payment.id);
    const fee = Number((await rowsOf(scenario, owner))[0]?.fee_minor);
    expect(fee).toBeGreaterThan(0);
    const { body } = expectStatus(await change(payment, { amountMode: 'net', customerIdType: 'email' }), 200);
    expect(await settled(owner, payment.id)).toMatchObject({ state: 'succeeded' });
    expect(await rowsOf(scenario, owner)).toMatchObject([{ amount_minor: String(5_000 - fee), customer_id: 'a@shop.example' }]);
    expectStatus(await change(body, { events: ['payment_failed'] }), 200);
    expect(await settled(owner, payment.id)).toMatchObject({ state: 'succeeded' });
    expect(await rowsOf(scenario, owner)).toEqual([]);
  });

  it('is paused, resumed, deleted and restored with its connections', async () => {
    const payment = await aPayment(owner);
    await settled(owner, payment.id);
    expect((await act(payment, 'pause')).body).toMatchObject({ desired: 'paused', health: 'paused' });
    expect(await act(payment, 'run')).toMatchObject({ status: 409, body: { code: 'payment.paused' } });
    await owner.shop.run({ type: 'payment', amount: 100, daysAgo: 1 });
    expect((await act(payment, 'resume')).body.desired).toBe('active');
    await settled(owner, payment.id);
    expect(await rowsOf(scenario, owner)).toHaveLength(1);
    expectStatus(await owner.call.delete(`${owner.path}/payments/${payment.id}`), 204);
    expect((await owner.call.get(`${owner.path}/payments/${payment.id}`)).status).toBe(404);
    expect(await rowsOf(scenario, owner)).toHaveLength(1);
    expect((await act(payment, 'restore')).body.destinations).toHaveLength(1);
    expect(await settled(owner, payment.id)).toMatchObject({ state: 'succeeded' });
  });

  it('cannot be restored after its app was deleted or given to another payment', async () => {
    const payment = await aPayment(owner);
    expectStatus(await owner.call.delete(`${owner.path}/payments/${payment.id}`), 204);
    const next = await aPayment(owner);
    expect(await act(payment, 'restore')).toMatchObject({ status: 409, body: { code: 'payment.app_taken' } });
    expectStatus(await owner.call.delete(`${owner.path}/payments/${next.id}`), 204);
    expectStatus(await owner.call.delete(`${owner.path}/apps/${owner.appId}`), 204);
    expect(await act(payment, 'restore')).toMatchObject({ status: 409, body: { code: 'payment.parts_gone' } });
  });

  it('is the only one of its app also when it is restored while another one is created', async () => {
    const deleted = await aPayment(owner);
    expectStatus(await owner.call.delete(`${owner.path}/payments/${deleted.id}`), 204);
    for (let race = 0; race < RACES; race += 1) {
      const [created, restored] = await Promise.all([create(), act(deleted, 'restore')]);
      const [winner, loser] = created.status === 201 ? [created, restored] : [restored, created];
      expect([winner.status, loser.status, loser.body.code]).toEqual([expect.any(Number), 409, 'payment.app_taken']);
      expect(winner.status).toBeLessThan(300);
      expectStatus(await owner.call.delete(`${owner.path}/payments/${winner.body.id}`), 204);
    }
  });

  it('ends the alerts of a destination that is removed, and of all when it is deleted', async () => {
    const second = await aDestination(owner, scenario.warehouse);
    const payment = await aPayment(owner, { destinationIds: [owner.destinationId, second] });
    await settled(owner, payment.id);
    await scenario.app.get(TenantDatabase).transaction(owner.id, async (query) => {
      const failure = { class: 'data', code: 'stripe.row_repeated', message: 'A row came twice.', action: 'Run again' };
      for (const { connectionId: subjectId } of payment.destinations)
        await scenario.app.get(Alerts).open(query, owner.id, { kind: 'connection.failing', subjectId, failure });
    });
    const open = async () => (await alertsOf(owner, '?state=open')).items.map(({ subject }) => subject.id);
    expect(await open()).toHaveLength(2);
    const { body } = expectStatus(await change(payment, { destinationIds: [second] }), 200);
    const kept = body.destinations.map(({ connectionId }) => connectionId);
    await settled(owner, payment.id);
    expect((await open()).filter((id) => !kept.includes(id))).toEqual([]);
    expectStatus(await owner.call.delete(`${owner.path}/payments/${payment.id}`), 204);
    expect(await open()).toEqual([]);
  });

  it('keeps its runs when a change is rejected', async () => {
    await owner.shop.fault('slow', { resource: 'charges', delayMs: 60_000 });
    const payment = await aPayment(owner);
    const runs = async () => (await getPayment(owner, payment.id)).destinations.map(({ activeRunId }) => activeRunId);
    const before = await runs();
    expect(before).toEqual([expect.any(String)]);
    expect(await change(payment, { version: payment.version + 1 })).toMatchObject({
      status: 409,
      body: { code: 'conflict.version' },
    });
    const nowhere = { destinationIds: ['0192f0c1-7a5e-7c3a-9f1e-5b8f6a2d4c10'] };
    expect((await change(payment, nowhere)).status).toBe(404);
    expect(await runs()).toEqual(before);
    expectStatus(await owner.call.delete(`${owner.path}/payments/${payment.id}`), 204);
    await scenario.sandbox.clearFaults();
  });

  it('that is restored applies the events that arrived before it was deleted', async () => {
    const payment = await aPayment(owner);
    await settled(owner, payment.id);
    expectStatus(await owner.call.delete(`${owner.path}/payments/${payment.id}`), 204);
    const query = <Row extends Record<string, unknown>>(text: string) => scenario.app.database.query<Row>(text, [payment.id]);
    await query(
      `insert into payment_webhook_events (organization_id, payment_id, id, type, happened_at, days, delivered_at)
       select organization_id, id, 'evt_before', 'charge.succeeded', now(), array[current_date - 1], now() from payments where id = $1`,
    );
    expectStatus(await act(payment, 'restore'), 200);
    const waiting = () => query('select id from payment_webhook_events where payment_id = $1 and applied_at is null');
    await eventually(waiting, ({ length }) => length === 0, 30_000);
  });

  it('is listed and deleted by the specified calls', async () => {
    const payment = await aPayment(owner);
    const listed = await owner.call.get(`/api/getOrganizationData?documentId=${owner.id}&type=payment&key=${payment.id}`);
    expect(JSON.stringify(listed.body)).toContain(payment.id);
    expect(JSON.stringify(listed.body)).not.toContain('webhook_secret');
  });
});
