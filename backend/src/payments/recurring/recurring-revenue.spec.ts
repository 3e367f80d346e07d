import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anOrganization, eventually, expectStatus } from '../../../test/factories.js';
import { readReports } from '../../../test/reports.js';
import { freshRecurringRevenue } from '../../../test/payments/fresh-recurring-revenue.js';
import {
  aPayment,
  aStripeApp,
  anOwner,
  type Owner,
  type PaymentScenario,
  startPayments,
} from '../../../test/payments/scenario.js';
import type { RecurringRevenueEntry } from './recurring-revenue.dto.js';

let scenario: PaymentScenario;
let owner: Owner;
beforeAll(async () => {
  scenario = await startPayments();
});
afterAll(() => scenario?.stop());
beforeEach(async () => {
  owner = await anOwner(scenario);
});

const read = (paymentId: string) =>
  owner.call.get<RecurringRevenueEntry>(`${owner.path}/payments/${paymentId}/recurring-revenue`);

/** Waits for a computation that meets the condition. */
const revenueWhen = async (paymentId: string, isReady: (entry: RecurringRevenueEntry) => boolean) =>
  expectStatus(
    await eventually(
      () => read(paymentId),
      ({ body }) => isReady(body),
    ),
    200,
  ).body;
const computed = ({ computedAt }: RecurringRevenueEntry): boolean => computedAt !== null;

const aSubscription = (more: object = {}, item: object = {}) => ({
  ...{ type: 'subscription', email: 'member@shop.example', daysAgo: 3, items: [{ amount: 1_200, ...item }] },
  ...more,
});

describe('the recurring revenue of a payment', () => {
  it('of another organization does not exist', async () => {
    const payment = await aPayment(owner);
    const other = await anOrganization(scenario.app);
    expect((await other.call.get(`${other.path}/payments/${payment.id}/recurring-revenue`)).status).toBe(404);
  });

  it('without the permission to read coupons names it, keeps the last figures, and everything else is loaded', async () => {
    await owner.shop.run(aSubscription());
    const payment = await aPayment(owner);
    await revenueWhen(payment.id, computed);
    await owner.shop.run(aSubscription({ discounts: [{ percentOff: 50 }] }));
    await owner.shop.fault('right_missing', { right: 'rak_coupon_read' });
    expectStatus(await owner.call.post(`${owner.path}/payments/${payment.id}/run`), 202);
    const entry = await revenueWhen(payment.id, ({ failure }) => failure !== null);
    expect(entry.failure).toMatchObject({ class: 'permission', action: 'In Stripe, give the key read access to Coupons' });
    expect(entry.currencies).toMatchObject([{ amountMinor: 1_200 }]);
    await scenario.sandbox.clearFaults();
    expectStatus(await owner.call.post(`${owner.path}/payments/${payment.id}/run`), 202);
    expect((await revenueWhen(payment.id, ({ failure }) => failure === null)).currencies).toMatchObject([{ amountMinor: 1_800 }]);
  });

  it('without subscriptions is empty and computed', async () => {
    const payment = await aPayment(owner);
    expect(await revenueWhen(payment.id, computed)).toMatchObject({
      ...{ definitionVersion: 1, currencies: [], leftOut: [], uncertain: [], failure: null, history: [{ currencies: [] }] },
    });
  });

  it('equals a fresh computation from the objects of Stripe, for every kind of subscription', async () => {
    const appId = await aStripeApp(owner, 'rk_test_northwind_eur');
    const payment = await aPayment(owner, { appId });
    const entry = await revenueWhen(payment.id, computed);
    const fresh = await freshRecurringRevenue(scenario.sandbox.url, 'rk_test_northwind_eur');
    expect(
      entry.currencies.map(({ currency, amountMinor, subscriptions }) => ({ currency, amountMinor, subscriptions })),
    ).toEqual(fresh);
    expect(fresh[0]?.subscriptions).toBeGreaterThan(10);
    const counted = Object.fromEntries(entry.leftOut.map(({ reason, count }) => [reason, count]));
    for (const reason of ['trialing', 'incomplete', 'unpaid', 'collection_paused', 'metered', 'no_fixed_amount'])
      expect(counted[reason]).toBeGreaterThan(0);
    expect(entry.currencies[0]?.endingMinor).toBeGreaterThan(0);
    expect(entry.definition.leftOut.join(' ')).toContain('Metered');
  });

  it.each([
    ['jpy', 0, 1_200],
    ['kwd', 3, 1_200],
    ['usd', 2, 1_200],
  ])('in %s has amounts with %i decimals, also in the reporting view', async (currency, decimals, amountMinor) => {
    owner = await anOwner(scenario, { currency });
    await owner.shop.run(aSubscription(), aSubscription({ ref: 'ending' }), {
      type: 'cancel-subscription',
      subscription: 'ending',
      atPeriodEnd: true,
    });
    const payment = await aPayment(owner);
    const { currencies } = await revenueWhen(payment.id, computed);
    expect(currencies).toMatchObject([
      { currency: currency.toUpperCase(), decimals, amountMinor: 2 * amountMinor, subscriptions: 2 },
    ]);
    expect(
      await readReports(
        scenario.app.database,
        `select currency, amount::float8, past_due::float8 as "pastDue", ending::float8, subscriptions
           from reporting.recurring_revenue_v1 where payment_id = $1`,
        [payment.id],
      ),
    ).toEqual(
      currencies.map((entry) => ({
        currency: entry.currency,
        amount: entry.amountMinor / 10 ** decimals,
        pastDue: entry.pastDueMinor / 10 ** decimals,
        ending: entry.endingMinor / 10 ** decimals,
        subscriptions: entry.subscriptions,
      })),
    );
  });

  it('is computed again after a webhook announces a change of a subscription', async () => {
    await owner.shop.run(aSubscription({ ref: 'plan' }, { interval: 'year' }));
    const payment = await aPayment(owner);
    expect((await revenueWhen(payment.id, computed)).currencies).toMatchObject([{ amountMinor: 100 }]);
    const secret = await owner.shop.addEndpoint(scenario.app.url + new URL(payment.webhook.url).pathname);
    expectStatus(await owner.call.post(`${owner.path}/payments/${payment.id}/webhook-secret`, { secret }), 200);
    await owner.shop.run({ type: 'change-subscription', subscription: 'plan', quantity: 3 });
    const entry = await revenueWhen(payment.id, ({ currencies: [first] }) => first?.amountMinor === 300);
    // A second computation on one day replaces the first.
    expect(new Set(entry.history.map(({ day }) => day)).size).toBe(entry.history.length);
  });

  it('shows earlier days with the version by which they were computed', async () => {
    const payment = await aPayment(owner);
    await revenueWhen(payment.id, computed);
    await scenario.app.database.query(
      `insert into payment_recurring_revenues
       select organization_id, payment_id, day - 7, 0, $2, left_out, uncertain, computed_at - interval '7 days'
         from payment_recurring_revenues where payment_id = $1`,
      [payment.id, JSON.stringify([{ currency: 'EUR', amountMinor: 900, pastDueMinor: 0, endingMinor: 0, subscriptions: 1 }])],
    );
    const { history } = (await read(payment.id)).body;
    expect(history[0]).toMatchObject({ definitionVersion: 0, currencies: [{ amountMinor: 900 }] });
    expect(history.at(-1)).toMatchObject({ definitionVersion: 1, currencies: [] });
  });
});
