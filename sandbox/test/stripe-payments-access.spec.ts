import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openShop, Shop, type Totals } from './stripe-payments.ts';
import { startBilling } from './stripe.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
let shop: Shop;
beforeAll(async () => {
  billing = await startBilling();
  shop = await openShop(billing);
  await shop.run(...Array.from({ length: 25 }, (_, index) => ({ type: 'payment', amount: 100 + index, daysAgo: 25 - index })));
});
afterEach(() => billing.clearFaults());
afterAll(() => billing.close());

describe('a restricted key', () => {
  it.each(['rk_test_unknown', 'rk_live_northwind_eur'])('that nobody has is rejected: %s', async (key) => {
    await expect(billing.client(key).charges.list()).rejects.toMatchObject({ statusCode: 401, code: 'api_key_invalid' });
  });

  it('that expired is rejected with its last characters only', async () => {
    const error: Stripe.errors.StripeError = await (await shop.keyWith([], true)).charges.list().then(
      () => Promise.reject(new Error('accepted')),
      (reason: Stripe.errors.StripeError) => reason,
    );
    expect(error).toMatchObject({ statusCode: 401, code: 'api_key_expired' });
    expect(error.message).toMatch(/^Expired API Key provided: rk_test_\*+\w{6}$/);
  });

  it('can expire while it is used', async () => {
    await shop.fault('key_expired', { times: 1 });
    await expect(shop.stripe.charges.list()).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect((await shop.stripe.charges.list()).data).not.toEqual([]);
  });

  it.each([
    ['charges', 'rak_charge_read'],
    ['refunds', 'rak_charge_read'],
    ['payment_intents', 'rak_payment_intent_read'],
    ['balance_transactions', 'rak_balance_transaction_source_read'],
    ['disputes', 'rak_dispute_read'],
    ['invoices', 'rak_invoice_read'],
    ['invoice_payments', 'rak_invoice_read'],
    ['customers', 'rak_customer_read'],
    ['subscriptions', 'rak_subscription_read'],
    ['prices', 'rak_plan_read'],
    ['products', 'rak_product_read'],
    ['coupons', 'rak_coupon_read'],
    ['payouts', 'rak_payout_read'],
    ['events', 'rak_event_read'],
    ['webhook_endpoints', 'rak_webhook_read'],
    ['account', 'rak_accounts_kyc_basic_read'],
  ])('without a right is rejected for %s with the name %s', async (path, right) => {
    const names = ['rak_price_read', 'rak_balance_transaction_read'];
    const poor = await shop.keyWith(names);
    const message = `account '${shop.id}'. Having the '${right}' permission would allow this request to continue.`;
    await expect(poor.rawRequest('GET', `/v1/${path}`)).rejects.toMatchObject({
      type: 'StripePermissionError',
      message: expect.stringContaining(message),
    });
    const rich = await shop.keyWith([right]);
    await expect(rich.rawRequest('GET', `/v1/${path}`)).resolves.toBeDefined();
  });

  it('can lose one right, and reads everything else', async () => {
    await shop.fault('right_missing', { right: 'rak_dispute_read' });
    await expect(shop.stripe.disputes.list()).rejects.toBeInstanceOf(Stripe.errors.StripePermissionError);
    expect((await shop.stripe.charges.list()).data).not.toEqual([]);
  });

  it('reads no data of the account that bills Tributary', async () => {
    await billing.customer();
    expect((await shop.stripe.customers.list()).data).toEqual([]);
    await expect(shop.stripe.checkout.sessions.list()).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('a list', () => {
  it.each([
    [{ limit: 101 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ starting_after: 'ch_none' }, 'starting_after'],
    [{ expand: ['data.nothing'] }, 'expand'],
    [{ colour: 'red' }, 'colour'],
  ])('is rejected with %j', async (parameters, param) => {
    await expect(shop.stripe.charges.list(parameters as Stripe.ChargeListParams)).rejects.toMatchObject({
      statusCode: 400,
      param,
    });
  });

  it('is rejected with two cursors', async () => {
    const [first] = (await shop.stripe.charges.list()).data;
    const cursors = { starting_after: first!.id, ending_before: first!.id };
    await expect(shop.stripe.charges.list(cursors)).rejects.toMatchObject({ statusCode: 400 });
  });

  it('has 10 rows unless asked otherwise, the newest first', async () => {
    const page = await shop.stripe.charges.list();
    expect(page).toMatchObject({ object: 'list', has_more: true, url: '/v1/charges' });
    expect(page.data.map(({ amount }) => amount)).toEqual([124, 123, 122, 121, 120, 119, 118, 117, 116, 115]);
  });

  it('can be read to its end by the official client', async () => {
    const amounts: number[] = [];
    for await (const { amount } of shop.stripe.charges.list({ limit: 7 })) amounts.push(amount);
    expect(amounts).toEqual(Array.from({ length: 25 }, (_, index) => 124 - index));
    const backwards: number[] = [];
    const oldest = (await shop.stripe.charges.list({ limit: 100 })).data.at(-1)!;
    for await (const { amount } of shop.stripe.charges.list({ limit: 7, ending_before: oldest.id })) backwards.push(amount);
    expect(backwards.sort()).toEqual(amounts.slice(0, 24).sort());
  });

  it('is limited by the time of creation, of which the start is included', async () => {
    const all = (await shop.stripe.charges.list({ limit: 100 })).data;
    const [from, to] = [all[9]!.created, all[4]!.created];
    const { data } = await shop.stripe.charges.list({ created: { gte: from, lt: to } });
    expect(data.map(({ amount }) => amount)).toEqual(all.slice(5, 10).map(({ amount }) => amount));
    expect((await shop.stripe.charges.list({ created: { gt: from, lte: to } })).data[0]!.amount).toBe(all[4]!.amount);
  });

  it('knows only the time of creation: a later refund of an old charge is not in a new range', async () => {
    const old = await openShop(billing);
    await old.run({ type: 'payment', ref: 'p', amount: 500, daysAgo: 20 });
    const since = Math.floor(Date.now() / 1_000) - 86_400;
    await old.run({ type: 'refund', payment: 'p' });
    expect((await old.stripe.charges.list({ created: { gte: since } })).data).toEqual([]);
    expect((await old.stripe.refunds.list({ created: { gte: since } })).data).toHaveLength(1);
    expect((await old.stripe.events.list({ type: 'charge.*', created: { gte: since } })).data.map(({ type }) => type)).toEqual([
      'charge.refunded',
    ]);
  });

  it('keeps its pages when rows are added meanwhile, and has the new rows only at its start', async () => {
    const busy = await openShop(billing);
    await busy.run(...Array.from({ length: 6 }, (_, index) => ({ type: 'payment', amount: 500 + index, daysAgo: 6 - index })));
    await busy.fault('rows_added', { resource: 'charges' });
    const amounts: number[] = [];
    for await (const { amount } of busy.stripe.charges.list({ limit: 2 })) amounts.push(amount);
    expect(amounts).toEqual([505, 504, 503, 502, 501, 500]);
    await billing.clearFaults();
    expect((await busy.stripe.charges.list({ limit: 100 })).data).toHaveLength(9);
  });

  it('keeps its place after an object that the filter no longer has', async () => {
    const plans = await openShop(billing);
    const plan = (ref: string, daysAgo: number) => ({ type: 'subscription', ref, daysAgo, items: [{ amount: 900 }] });
    await plans.run(plan('a', 3), plan('b', 2), plan('c', 1));
    const [newest] = (await plans.stripe.subscriptions.list({ limit: 1 })).data;
    await plans.run({ type: 'cancel-subscription', subscription: 'c' });
    const rest = await plans.stripe.subscriptions.list({ starting_after: newest!.id });
    expect(rest.data.map(({ id }) => id)).toEqual([plans.idOf('b'), plans.idOf('a')]);
  });

  it('includes expanded objects', async () => {
    const { data } = await shop.stripe.charges.list({ limit: 1, expand: ['data.balance_transaction', 'data.refunds'] });
    expect(data[0]).toMatchObject({ balance_transaction: { object: 'balance_transaction' }, refunds: { object: 'list' } });
    const [booked] = (await shop.stripe.balanceTransactions.list({ limit: 1, expand: ['data.source.payment_intent'] })).data;
    expect(booked!.source).toMatchObject({ object: 'charge', payment_intent: { object: 'payment_intent' } });
  });
});

describe('the events', () => {
  it('are listed for 30 days', async () => {
    const old = await openShop(billing);
    await old.run({ type: 'payment', amount: 500, daysAgo: 31 }, { type: 'payment', amount: 600, daysAgo: 29 });
    expect((await old.stripe.charges.list()).data).toHaveLength(2);
    const { data } = await old.stripe.events.list({ type: 'charge.succeeded' });
    expect(data.map((event) => (event.data.object as Stripe.Charge).amount)).toEqual([600]);
    await billing.admin('clock', { offsetDays: 2 });
    expect((await old.stripe.events.list()).data).toEqual([]);
    await expect(old.stripe.events.retrieve(data[0]!.id)).rejects.toMatchObject({ statusCode: 404 });
    await billing.admin('clock', { offsetDays: 0 });
  });

  it('are filtered by up to 20 types', async () => {
    const types = ['charge.succeeded', 'charge.updated'];
    const { data } = await shop.stripe.events.list({ types, limit: 100 });
    expect(new Set(data.map(({ type }) => type))).toEqual(new Set(types));
    const many = Array.from({ length: 21 }, (_, index) => `charge.type_${index}`);
    await expect(shop.stripe.events.list({ types: many })).rejects.toMatchObject({ param: 'types' });
    await expect(shop.stripe.events.list({ types, type: 'charge.*' })).rejects.toMatchObject({ param: 'types' });
  });
});

describe('an account with faults', () => {
  const retrying = (): Stripe => billing.client(shop.key, { maxNetworkRetries: 2 });

  it.each([
    ['without the header', {}, 0],
    ['with stripe-should-retry: false', { shouldRetry: false }, 0],
    ['with stripe-should-retry: true', { shouldRetry: true }, 1],
  ])('answers 429 %s, which the official client repeats accordingly', async (_what, parameters, repeats) => {
    await shop.fault('throttle', { times: 1, ...parameters });
    const outcome = retrying().charges.list({ limit: 1 });
    if (repeats === 1) expect((await outcome).data).toHaveLength(1);
    else await expect(outcome).rejects.toBeInstanceOf(Stripe.errors.StripeRateLimitError);
  });

  it('answers 409, which the official client repeats', async () => {
    await shop.fault('conflict', { times: 1 });
    expect((await retrying().charges.list({ limit: 1 })).data).toHaveLength(1);
    await shop.fault('conflict', { times: 1 });
    await expect(shop.stripe.charges.list()).rejects.toMatchObject({ statusCode: 409 });
  });

  it('does not affect another account', async () => {
    await shop.fault('down');
    await expect(shop.stripe.charges.list()).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect((await (await openShop(billing)).stripe.charges.list()).data).toEqual([]);
    await expect(billing.stripe.customers.list()).resolves.toBeDefined();
  });

  it('can be limited to one table', async () => {
    await shop.fault('server_error', { resource: 'refunds' });
    await expect(shop.stripe.refunds.list()).rejects.toMatchObject({ statusCode: 500 });
    expect((await shop.stripe.charges.list()).data).not.toEqual([]);
  });
});

describe('the seeded accounts', () => {
  const seeded = ['eur', 'usd', 'jpy', 'kwd', 'ugx', 'isk'];
  const accountOf = (currency: string): Shop =>
    new Shop(billing, `acct_northwind${currency}`, `rk_${currency === 'usd' ? 'live' : 'test'}_northwind_${currency}`);

  it.each(seeded)('have a history in %s whose sums agree with what the API lists', async (currency) => {
    const account = accountOf(currency);
    const sums = { rows: 0, amount: 0, net: 0, odd: 0 };
    const step = { ugx: 100, isk: 100, kwd: 10 }[currency] ?? 1;
    for await (const row of account.stripe.balanceTransactions.list({ limit: 100 })) {
      sums.rows += 1;
      sums.amount += row.amount;
      sums.net += row.net;
      sums.odd += Number(row.currency !== currency || row.amount - row.fee !== row.net || row.amount % step !== 0);
    }
    const { tables, business } = await account.totals();
    const booked = tables.balance_transactions!.currencies[currency]!;
    expect(sums).toEqual({ rows: booked.rows, amount: booked.amounts.amount, net: booked.amounts.net, odd: 0 });
    expect(sums.rows).toBeGreaterThan(50);
    expect(business.disputes.rows).toBeGreaterThan(0);
    expect((await account.stripe.charges.list({ limit: 1 })).data[0]!.livemode).toBe(currency === 'usd');
  });

  it('are the same in every sandbox on one day', async () => {
    const other = await startBilling();
    const read = (from: typeof billing) => from.admin<Totals>('stripe/payments/acct_northwindjpy');
    expect(await read(other)).toEqual(await read(billing));
    const ids = async (from: typeof billing) =>
      (await from.client('rk_test_northwind_jpy').charges.list()).data.map(({ id }) => id);
    expect(await ids(other)).toEqual(await ids(billing));
    await other.close();
  });

  it('cannot be removed', async () => {
    expect(await billing.admin('stripe/payments/acct_northwindeur', undefined, 'DELETE')).toHaveProperty('error');
  });
});

describe('a random history', () => {
  it('is the same for the same seed and agrees with the API', async () => {
    const write = (seed: number) =>
      billing.admin<{ id: string; key: string; events: number }>('stripe/payments', {
        currency: 'kwd',
        random: { seed, steps: 80 },
      });
    const [first, second, other] = [await write(7), await write(7), await write(8)];
    const totals = await Promise.all([first, second, other].map(({ id, key }) => new Shop(billing, id, key).totals()));
    expect(totals[0]!.tables).toEqual(totals[1]!.tables);
    expect(totals[0]!.tables).not.toEqual(totals[2]!.tables);
    let refunded = 0;
    for await (const { amount } of billing.client(first.key).refunds.list({ limit: 100 })) refunded += amount;
    expect(totals[0]!.tables.refunds!.currencies.kwd!.amounts.amount).toBe(refunded);
  });

  it('can be sent as a list of steps, and be removed', async () => {
    const steps = [
      { type: 'payment', ref: 'p', amount: 700 },
      { type: 'refund', payment: 'p' },
    ];
    const { id, key } = await billing.admin<{ id: string; key: string }>('stripe/payments', { steps });
    expect((await billing.client(key).refunds.list()).data).toMatchObject([{ amount: 700 }]);
    await billing.admin(`stripe/payments/${id}`, undefined, 'DELETE');
    await expect(billing.client(key).refunds.list()).rejects.toMatchObject({ statusCode: 401 });
    expect(await billing.admin(`stripe/payments/${id}`)).toMatchObject({ error: `Unknown account ${id}` });
  });

  it.each([{ random: { seed: 'one' } }, { steps: [{ type: 'gift' }] }, { steps: 'all' }, { currency: 5 }])(
    'is rejected: %j',
    async (body) => {
      const count = async () => (await billing.admin<{ accounts: object[] }>('stripe/payments')).accounts.length;
      const before = await count();
      expect(await billing.admin('stripe/payments', body)).toHaveProperty('error');
      expect(await count()).toBe(before);
    },
  );

  it('is summed for a range of days', async () => {
    const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
    const { tables } = await shop.totals(`?from=${day}&to=${day}`);
    expect(tables.charges).toMatchObject({ rows: 1, currencies: { eur: { days: { [day]: { rows: 1 } } } } });
    expect(await shop.totals('?from=2026-13-01&to=2026-01-01')).toHaveProperty('error');
  });
});
