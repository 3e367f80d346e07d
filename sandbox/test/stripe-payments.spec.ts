import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openShop, type Shop } from './stripe-payments.ts';
import { startBilling } from './stripe.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
let shop: Shop;
beforeAll(async () => {
  billing = await startBilling();
});
beforeEach(async () => {
  shop = await openShop(billing);
});
afterAll(() => billing.close());

const pay = (ref: string, amount: number, more: object = {}) => ({ type: 'payment', ref, amount, ...more });

describe('a step', () => {
  it.each([
    [{ type: 'gift' }, /unknown type gift/],
    [{ type: 'payment' }, /needs a multiple of 1 in amount for eur/],
    [{ type: 'payment', amount: 5, colour: 'red' }, /has no field colour/],
    [{ type: 'payment', amount: 5, currency: 'usd' }, /needs an exchangeRate: the account is in eur/],
    [{ type: 'payment', amount: 5, at: 'yesterday' }, /needs a time/],
    [{ type: 'payment', amount: 5, method: 'cash' }, /needs one of card, sepa_debit in method/],
    [{ type: 'refund', payment: 'nothing' }, /names no known payment/],
    [{ type: 'change-refund', refund: 're_0', status: 'failed' }, /names no known object in refund/],
  ])('is rejected: %j', async (step, error) => {
    expect((await shop.run(step)).error).toMatch(error);
    expect((await shop.stripe.charges.list()).data).toEqual([]);
  });

  it('that cannot happen is rejected, and the steps before it stay', async () => {
    const { error } = await shop.run(pay('p', 1_000), { type: 'refund', payment: 'p', amount: 1_001 });
    expect(error).toMatch(/1000 can be refunded, not 1001/);
    expect((await shop.stripe.charges.list()).data).toHaveLength(1);
  });

  it.each([
    ['ugx', 550, 100],
    ['isk', 1_050, 100],
    ['kwd', 1_235, 10],
    ['jpy', 10.5, 1],
  ])('has amounts that Stripe allows in %s: not %d, but multiples of %d', async (currency, amount, multiple) => {
    const local = await openShop(billing, { currency });
    expect((await local.run(pay('p', amount))).error).toContain(`needs a multiple of ${multiple} in amount for ${currency}`);
    await local.run(pay('p', multiple * 50));
    expect((await local.booked())[0]).toMatchObject({ amount: multiple * 50 });
  });
});

describe('a payment', () => {
  it('has its fee only after the first event, which charge.updated adds', async () => {
    await shop.run(pay('p', 10_000));
    const events = (await shop.stripe.events.list({ limit: 100 })).data.reverse();
    const [created, succeeded, , updated] = events;
    expect(events.map(({ type }) => type)).toEqual([
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'charge.updated',
    ]);
    expect(created!.data.object).toMatchObject({ status: 'requires_payment_method' });
    expect(succeeded!.data.object).toMatchObject({ balance_transaction: null, paid: true });
    expect(updated!.data).toMatchObject({
      object: { balance_transaction: expect.stringMatching(/^txn_/) },
      previous_attributes: { balance_transaction: null },
    });
    expect(await shop.booked()).toEqual([{ type: 'charge', reporting_category: 'charge', amount: 10_000, fee: 290, net: 9_710 }]);
  });

  it('can have its fee later', async () => {
    await shop.run(pay('p', 10_000, { isBalanceLate: true, daysAgo: 1 }));
    expect(await shop.charge('p')).toMatchObject({ balance_transaction: null, paid: true });
    expect(await shop.booked()).toEqual([]);
    await shop.run({ type: 'settle', payment: 'p' });
    const charge = await shop.stripe.charges.retrieve(shop.idOf('p'), { expand: ['balance_transaction'] });
    expect(charge.balance_transaction).toMatchObject({ net: 9_710 });
  });

  it('has one intent with a charge for every attempt', async () => {
    await shop.run(pay('p', 2_000, { failedTries: 2 }));
    const { payment_intent } = await shop.charge('p');
    const { data } = await shop.stripe.charges.list({ payment_intent: payment_intent as string });
    expect(data.map(({ status, paid, amount_captured }) => [status, paid, amount_captured])).toEqual([
      ['succeeded', true, 2_000],
      ['failed', false, 0],
      ['failed', false, 0],
    ]);
    expect((await shop.stripe.paymentIntents.list()).data).toHaveLength(1);
    expect((await shop.totals()).business.sales).toMatchObject({
      rows: 1,
      currencies: { eur: { amounts: { amount_captured: 2_000 } } },
    });
  });

  it('that is declined is neither a sale nor booked', async () => {
    await shop.run(pay('p', 2_000, { isDeclined: true }));
    expect(await shop.charge('p')).toMatchObject({ status: 'failed', failure_code: 'card_declined', balance_transaction: null });
    expect((await shop.totals()).business.sales.rows).toBe(0);
  });

  it('counts as paid when it is only authorized, and is booked when it is captured', async () => {
    await shop.run(pay('p', 3_000, { isManual: true }));
    expect(await shop.charge('p')).toMatchObject({ status: 'succeeded', paid: true, captured: false, amount_captured: 0 });
    expect((await shop.totals()).business.sales.rows).toBe(0);
    await shop.run({ type: 'capture', payment: 'p' });
    expect(await shop.charge('p')).toMatchObject({ captured: true, amount_captured: 3_000, amount_refunded: 0 });
    expect(await shop.booked()).toMatchObject([{ amount: 3_000 }]);
  });

  it('that is captured in part is booked in full, with a reversal that is no refund of a sale', async () => {
    await shop.run(pay('p', 10_000, { isManual: true }), { type: 'capture', payment: 'p', amount: 7_000 });
    expect(await shop.charge('p')).toMatchObject({ amount: 10_000, amount_captured: 7_000, amount_refunded: 3_000 });
    expect(await shop.booked()).toMatchObject([
      { type: 'charge', amount: 10_000 },
      { type: 'refund', reporting_category: 'partial_capture_reversal', amount: -3_000 },
    ]);
    const { business } = await shop.totals();
    expect(business.sales.currencies.eur!.amounts).toEqual({ amount_captured: 7_000 });
    expect(business.refunds.rows).toBe(0);
  });

  it('that is released counts as refunded without any money', async () => {
    await shop.run(pay('p', 3_000, { isManual: true }), { type: 'cancel-payment', payment: 'p' });
    expect(await shop.charge('p')).toMatchObject({ captured: false, refunded: true, amount_refunded: 3_000 });
    expect(await shop.booked()).toEqual([]);
    expect((await shop.totals()).business).toMatchObject({ sales: { rows: 0 }, refunds: { rows: 0 } });
  });

  it('by another method is of the type payment, and the bank can take it back', async () => {
    await shop.run(pay('p', 5_000, { method: 'sepa_debit', daysAgo: 5 }), { type: 'return-debit', payment: 'p' });
    expect(shop.idOf('p')).toMatch(/^py_/);
    expect(await shop.charge('p')).toMatchObject({ status: 'failed', paid: false });
    expect(await shop.booked()).toMatchObject([
      { type: 'payment', reporting_category: 'charge', amount: 5_000 },
      { type: 'payment_failure_refund', reporting_category: 'charge_failure', amount: -5_000 },
    ]);
  });

  it('in another currency is booked in the currency of the account', async () => {
    await shop.run(pay('yen', 5_000, { currency: 'JPY', exchangeRate: 0.61 }), { type: 'refund', payment: 'yen', amount: 1_000 });
    const { data } = await shop.stripe.balanceTransactions.list();
    expect(data.map(({ amount, currency, exchange_rate }) => [amount, currency, exchange_rate])).toEqual([
      [-610, 'eur', 0.61],
      [3_050, 'eur', 0.61],
    ]);
    expect(await shop.charge('yen')).toMatchObject({ amount: 5_000, currency: 'jpy', amount_refunded: 1_000 });
  });

  it('in a further settlement currency is booked in that currency, with its refunds and disputes', async () => {
    const sale = (ref: string) => pay(ref, 5_000, { currency: 'usd' });
    await shop.run({ type: 'settle-in', currency: 'usd' }, sale('p'), { type: 'refund', payment: 'p', amount: 1_000 });
    await shop.run(sale('disputed'), { type: 'dispute', payment: 'disputed' });
    const { data } = await shop.stripe.balanceTransactions.list();
    expect(data.map(({ amount, currency, exchange_rate }) => [amount, currency, exchange_rate])).toEqual([
      [-5_000, 'usd', null],
      [5_000, 'usd', null],
      [-1_000, 'usd', null],
      [5_000, 'usd', null],
    ]);
  });
});

describe('a balance transaction', () => {
  it('becomes available with time and changes in nothing else', async () => {
    await shop.run(pay('p', 1_000));
    const [before] = (await shop.stripe.balanceTransactions.list()).data;
    await billing.admin('clock', { offsetDays: 3 });
    const [after] = (await shop.stripe.balanceTransactions.list()).data;
    await billing.admin('clock', { offsetDays: 0 });
    expect(before!.status).toBe('pending');
    expect({ ...after, lastResponse: null }).toEqual({ ...before, status: 'available', lastResponse: null });
  });

  it('is of its own type for costs and payouts', async () => {
    await shop.run(
      { type: 'fee', amount: 200 },
      { type: 'fee', amount: 30, kind: 'stripe_fx_fee' },
      { type: 'fee', amount: 40, kind: 'tax_fee' },
      { type: 'payout', ref: 'out', amount: 500 },
      { type: 'fail-payout', payout: 'out' },
    );
    expect((await shop.booked()).map(({ type, reporting_category, net }) => [type, reporting_category, net])).toEqual([
      ['stripe_fee', 'fee', -200],
      ['stripe_fx_fee', 'fee', -30],
      ['tax_fee', 'tax', -40],
      ['payout', 'payout', -500],
      ['payout_failure', 'payout_reversal', 500],
    ]);
  });
});

describe('a refund', () => {
  it('has its own time, while the charge has only a running total', async () => {
    await shop.run(pay('p', 9_000, { daysAgo: 10 }));
    await shop.run({ type: 'refund', payment: 'p', amount: 2_000, daysAgo: 5 }, { type: 'refund', payment: 'p', amount: 1_000 });
    expect(await shop.charge('p')).toMatchObject({ amount_refunded: 3_000, refunded: false });
    const { data } = await shop.stripe.refunds.list({ charge: shop.idOf('p') });
    expect(data.map(({ amount }) => amount)).toEqual([1_000, 2_000]);
    expect(data[0]!.created - data[1]!.created).toBeGreaterThanOrEqual(5 * 86_400 - 5);
  });

  it('that fails gives the money back with a transaction of its own', async () => {
    await shop.run(pay('p', 4_000), { type: 'refund', ref: 'r', payment: 'p' });
    expect(await shop.charge('p')).toMatchObject({ refunded: true });
    await shop.run({ type: 'change-refund', refund: 'r', status: 'failed' });
    expect(await shop.stripe.refunds.retrieve(shop.idOf('r'))).toMatchObject({
      status: 'failed',
      failure_balance_transaction: expect.stringMatching(/^txn_/),
    });
    expect(await shop.charge('p')).toMatchObject({ refunded: false, amount_refunded: 0 });
    expect((await shop.booked()).map(({ type, amount }) => [type, amount])).toEqual([
      ['charge', 4_000],
      ['refund', -4_000],
      ['refund_failure', 4_000],
    ]);
    expect(await shop.events()).toEqual(
      expect.arrayContaining(['refund.created', 'charge.refunded', 'charge.refund.updated', 'refund.updated', 'refund.failed']),
    );
    expect((await shop.run({ type: 'change-refund', refund: 'r', status: 'succeeded' })).error).toMatch(/has ended: failed/);
  });

  it('can be pending, and moves its money only once', async () => {
    await shop.run(pay('p', 4_000), { type: 'refund', ref: 'r', payment: 'p', amount: 500, status: 'pending' });
    expect(await shop.stripe.refunds.retrieve(shop.idOf('r'))).toMatchObject({ status: 'pending', pending_reason: 'processing' });
    await shop.run({ type: 'change-refund', refund: 'r', status: 'succeeded' });
    const refund = await shop.stripe.refunds.retrieve(shop.idOf('r'));
    expect([refund.status, refund.pending_reason]).toEqual(['succeeded', undefined]);
    expect(await shop.booked()).toHaveLength(2);
  });

  it('that waits for the customer moves no money before it succeeds', async () => {
    await shop.run(pay('p', 4_000), { type: 'refund', ref: 'r', payment: 'p', status: 'requires_action' });
    expect(await shop.booked()).toHaveLength(1);
    await shop.run({ type: 'change-refund', refund: 'r', status: 'canceled' });
    expect(await shop.booked()).toHaveLength(1);
    expect(await shop.charge('p')).toMatchObject({ amount_refunded: 0 });
  });
});

describe('a dispute', () => {
  it.each([
    ['lost', [-2_500], ['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.closed'], 1],
    [
      'won',
      [-2_500, 2_500],
      ['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.closed', 'charge.dispute.funds_reinstated'],
      0,
    ],
  ])('of a part that is %s has the transactions %j', async (status, amounts, events, lostRows) => {
    await shop.run(pay('p', 6_000), { type: 'dispute', ref: 'd', payment: 'p', amount: 2_500 });
    await shop.run({ type: 'change-dispute', dispute: 'd', status });
    const dispute = await shop.stripe.disputes.retrieve(shop.idOf('d'));
    expect(dispute).toMatchObject({ status, amount: 2_500 });
    expect(dispute.balance_transactions.map(({ amount }) => amount)).toEqual(amounts);
    expect(dispute.balance_transactions[0]).toMatchObject({ type: 'adjustment', reporting_category: 'dispute', fee: 1_500 });
    expect((await shop.events()).filter((type) => type.startsWith('charge.dispute'))).toEqual(events);
    expect((await shop.totals()).business.disputes.rows).toBe(lostRows);
    expect((await shop.run({ type: 'change-dispute', dispute: 'd', status: 'lost' })).error).toMatch(/has ended/);
  });

  it.each(['prevented', 'warning_needs_response'])('that is %s moves no money', async (status) => {
    await shop.run(pay('p', 6_000), { type: 'dispute', ref: 'd', payment: 'p', status });
    expect((await shop.stripe.disputes.retrieve(shop.idOf('d'))).balance_transactions).toEqual([]);
    expect(await shop.booked()).toHaveLength(1);
    expect(await shop.charge('p')).toMatchObject({ disputed: true });
  });

  it('can follow an inquiry', async () => {
    await shop.run(pay('p', 6_000), { type: 'dispute', ref: 'd', payment: 'p', status: 'warning_needs_response' });
    await shop.run({ type: 'change-dispute', dispute: 'd', status: 'needs_response' });
    expect((await shop.stripe.disputes.retrieve(shop.idOf('d'))).balance_transactions).toHaveLength(1);
  });
});

describe('an invoice', () => {
  it('is joined with its charge through its payments only', async () => {
    await shop.run({ type: 'invoice', ref: 'i', amount: 5_000, email: 'a@shop.example' }, { type: 'pay-invoice', invoice: 'i' });
    const [payment] = (await shop.stripe.invoicePayments.list({ invoice: shop.idOf('i') })).data;
    const [charge] = (await shop.stripe.charges.list()).data;
    expect(payment).toMatchObject({ status: 'paid', amount_paid: 5_000, payment: { payment_intent: charge!.payment_intent } });
    expect(charge).not.toHaveProperty('invoice');
    const ofIntent = (payment_intent: string) =>
      shop.stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent } });
    expect((await ofIntent(charge!.payment_intent as string)).data.map(({ id }) => id)).toEqual([payment!.id]);
    expect((await ofIntent('pi_other')).data).toEqual([]);
    const invoice = await shop.stripe.invoices.retrieve(shop.idOf('i'), { expand: ['payments'] });
    expect(invoice.payments!.data).toHaveLength(1);
  });

  it('can be paid outside of Stripe, which no charge shows', async () => {
    await shop.run({ type: 'invoice', ref: 'i', amount: 5_000 }, { type: 'pay-invoice', invoice: 'i', paidOutside: 5_000 });
    expect(await shop.stripe.invoices.retrieve(shop.idOf('i'))).toMatchObject({
      status: 'paid',
      amount_paid: 5_000,
      amount_paid_off_stripe: 5_000,
    });
    expect((await shop.stripe.charges.list()).data).toEqual([]);
    const [payment] = (await shop.stripe.invoicePayments.list()).data;
    expect(payment!.payment).toMatchObject({ type: 'payment_record' });
  });

  it('needs less money when the customer has a credit', async () => {
    await shop.run({ type: 'invoice', ref: 'i', amount: 5_000, credit: 1_500 }, { type: 'pay-invoice', invoice: 'i' });
    const invoice = await shop.stripe.invoices.retrieve(shop.idOf('i'));
    expect(invoice).toMatchObject({ total: 5_000, amount_due: 3_500, amount_paid: 3_500, starting_balance: -1_500 });
  });

  it('has one payment intent for all attempts', async () => {
    await shop.run({ type: 'invoice', ref: 'i', amount: 5_000 }, { type: 'pay-invoice', invoice: 'i', isDeclined: true });
    expect(await shop.stripe.invoices.retrieve(shop.idOf('i'))).toMatchObject({ status: 'open', attempt_count: 1 });
    await shop.run({ type: 'pay-invoice', invoice: 'i' });
    expect((await shop.stripe.paymentIntents.list()).data).toHaveLength(1);
    expect((await shop.stripe.charges.list()).data.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  });

  it('can be void, and cannot be paid then', async () => {
    await shop.run({ type: 'invoice', ref: 'i', amount: 5_000 }, { type: 'end-invoice', invoice: 'i', status: 'void' });
    expect((await shop.run({ type: 'pay-invoice', invoice: 'i' })).error).toMatch(/is void/);
  });
});

describe('a subscription', () => {
  const plan = (ref: string, item: object = {}, more: object = {}) => ({
    ...{ type: 'subscription', ref, items: [{ amount: 1_000, ...item }], email: 'm@shop.example' },
    ...more,
  });

  it('has its periods on the items, an invoice and a payment', async () => {
    await shop.run(plan('s', { interval: 'year', quantity: 3 }));
    const subscription = await shop.stripe.subscriptions.retrieve(shop.idOf('s'), { expand: ['latest_invoice'] });
    expect(subscription).toMatchObject({ status: 'active', latest_invoice: { amount_paid: 3_000 } });
    expect(subscription).not.toHaveProperty('current_period_end');
    const [item] = subscription.items.data;
    expect(item!.current_period_end - item!.current_period_start).toBeGreaterThanOrEqual(365 * 86_400);
    expect((await shop.stripe.charges.list()).data).toHaveLength(1);
  });

  it('is missing in the default list once it is canceled', async () => {
    await shop.run(plan('kept'), plan('gone'), { type: 'cancel-subscription', subscription: 'gone' });
    const listed = async (status?: 'all' | 'canceled') =>
      (await shop.stripe.subscriptions.list({ ...(status && { status }) })).data;
    expect((await listed()).map(({ id }) => id)).toEqual([shop.idOf('kept')]);
    expect(await listed('all')).toHaveLength(2);
    expect((await listed('canceled')).map(({ id }) => id)).toEqual([shop.idOf('gone')]);
    expect((await shop.run({ type: 'renew', subscription: 'gone' })).error).toMatch(/has ended/);
  });

  it('is renewed, changed and canceled with events', async () => {
    await shop.run(plan('s', {}, { daysAgo: 40 }), { type: 'renew', subscription: 's', isDeclined: true, daysAgo: 10 });
    expect(await shop.stripe.subscriptions.retrieve(shop.idOf('s'))).toMatchObject({ status: 'past_due' });
    await shop.run({ type: 'change-subscription', subscription: 's', quantity: 4, amount: 2_000 });
    const { items } = await shop.stripe.subscriptions.retrieve(shop.idOf('s'));
    expect(items.data[0]).toMatchObject({ quantity: 4, price: { unit_amount: 2_000 } });
    await shop.run({ type: 'cancel-subscription', subscription: 's', atPeriodEnd: true });
    expect(await shop.stripe.subscriptions.retrieve(shop.idOf('s'))).toMatchObject({
      cancel_at_period_end: true,
      ended_at: null,
    });
    expect(await shop.events()).toEqual(expect.arrayContaining(['customer.subscription.updated', 'invoice.payment_failed']));
  });

  it('has no fixed amount when it is tiered, and no quantity when it is metered', async () => {
    await shop.run(plan('s', { isTiered: true }), plan('m', { isMetered: true }));
    const itemOf = async (ref: string) => (await shop.stripe.subscriptions.retrieve(shop.idOf(ref))).items.data[0]!;
    expect((await itemOf('s')).price).toMatchObject({ billing_scheme: 'tiered', unit_amount: null });
    const metered = await itemOf('m');
    expect([metered.price.recurring!.usage_type, metered.quantity]).toEqual(['metered', undefined]);
  });

  it('is charged less while its discounts run', async () => {
    const discounts = [{ percentOff: 20 }, { amountOff: 100, months: 1 }];
    await shop.run(plan('s', {}, { discounts, daysAgo: 70 }), { type: 'renew', subscription: 's', daysAgo: 2 });
    const { data } = await shop.stripe.invoices.list({ subscription: shop.idOf('s') });
    expect(data.map(({ total }) => total)).toEqual([800, 700]);
    const subscription = await shop.stripe.subscriptions.retrieve(shop.idOf('s'), { expand: ['discounts.source.coupon'] });
    expect(subscription.discounts).toMatchObject([
      { source: { coupon: { percent_off: 20 } } },
      { source: { coupon: { amount_off: 100 } } },
    ]);
  });

  it('in a trial costs nothing yet', async () => {
    await shop.run(plan('s', {}, { trialDays: 14 }));
    expect(await shop.stripe.subscriptions.retrieve(shop.idOf('s'))).toMatchObject({ status: 'trialing' });
    expect((await shop.stripe.charges.list()).data).toEqual([]);
  });
});
