import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readSignedEvent } from '../../../src/connectors/catalog.js';
import type { AdAccount, ReadContext } from '../../../src/connectors/kit/contract.js';
import { SplitSlice } from '../../../src/connectors/kit/errors.js';
import { readLines } from '../../../src/connectors/kit/rows/row-text.js';
import { stripeConversionSource } from '../../../src/connectors/stripe/conversion-source.js';
import { eventOfCategory, paymentEvents, paymentEventsStream } from '../../../src/connectors/stripe/events.js';
import { stripeConnector } from '../../../src/connectors/stripe/index.js';
import { decimalsOf, toMicros, toMinor } from '../../../src/connectors/stripe/money.js';
import { Shop, utcDaysAgo } from '../../payments/scenario.js';
import { type Sandbox, startSandbox } from '../sandbox-process.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox?.stop());
afterEach(() => sandbox.clearFaults());

const context: ReadContext = {
  ...{ signal: new AbortController().signal, onRequest: () => undefined, exchange: null, provisionalFrom: null },
  job: { id: null, save: () => Promise.resolve() },
};
const connector = () => stripeConnector({ baseUrl: sandbox.url, now: () => new Date() });
const keyOf = (key: string) => ({ apiKey: () => Promise.resolve(key) });
const names = paymentEventsStream.columns.map(({ name }) => name);
const usual = { events: [...paymentEvents], customerIdType: 'stripe_id', amountMode: 'gross' };

/** Rows of the days before today, of all accounts of a key. */
async function read(key: string, settings: object = {}, days = 70): Promise<Record<string, string>[]> {
  const source = connector().open(keyOf(key), { ...usual, ...settings });
  const rows: Record<string, string>[] = [];
  for (const account of await source.listAccounts(context)) rows.push(...(await readAccount(source, account, days)));
  return rows;
}

async function readAccount(
  source: ReturnType<ReturnType<typeof connector>['open']>,
  account: AdAccount,
  days: number,
  range = { from: utcDaysAgo(days), to: utcDaysAgo(0) },
) {
  const rows: Record<string, string>[] = [];
  let stated = -1;
  const slice = { stream: paymentEventsStream, account, ...range };
  for await (const page of source.read(context, slice)) {
    stated = page.providerRows ?? stated;
    for (const cells of readLines(page.lines))
      rows.push(Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ''])));
  }
  expect(rows).toHaveLength(stated);
  return rows;
}

type Entry = { day: string; event: string; currency: string; amount: number };
const sumUp = (entries: Entry[]): Record<string, [number, number]> => {
  const sums: Record<string, [number, number]> = {};
  for (const { day, event, currency, amount } of entries) {
    const [rows, total] = sums[`${day} ${event} ${currency}`] ?? [0, 0];
    sums[`${day} ${event} ${currency}`] = [rows + 1, total + amount];
  }
  return sums;
};
interface Booked {
  amount: number;
  net: number;
  created: number;
  currency: string;
  reporting_category: string;
}

describe.each(['eur', 'usd', 'jpy', 'kwd', 'ugx', 'isk'])('the seeded account in %s, with every special case', (code) => {
  const key = `rk_${code === 'usd' ? 'live' : 'test'}_northwind_${code}`;

  it.each(['gross', 'net'] as const)('has rows and %s amounts per day that equal the balance of Stripe', async (amountMode) => {
    const { rows: booked } = await sandbox.admin<{ rows: Booked[] }>(
      `stripe/payments/acct_northwind${code}/rows/balance_transactions`,
    );
    const expected = booked.flatMap(({ reporting_category, created, currency, ...transaction }) => {
      const event = eventOfCategory[reporting_category] as string | undefined;
      const day = new Date(created * 1_000).toISOString().slice(0, 10);
      const amount = amountMode === 'gross' ? transaction.amount : transaction.net;
      return event ? [{ day, event, currency: currency.toUpperCase(), amount }] : [];
    });
    const found = (await read(key, { amountMode })).filter(({ event }) =>
      Object.values<string>(eventOfCategory).includes(event ?? ''),
    );
    expect(expected.length).toBeGreaterThan(50);
    expect(
      sumUp(
        found.map(({ date = '', event = '', currency = '', amount_minor }) => ({
          day: date,
          event,
          currency,
          amount: Number(amount_minor),
        })),
      ),
    ).toEqual(sumUp(expected));
  });

  it('has subscriptions and trials that began and ended', async () => {
    const events = new Set((await read(key)).map(({ event }) => event));
    expect([...events]).toEqual(expect.arrayContaining(['subscription_started', 'subscription_ended', 'payment_failed']));
  });
});

describe('the records of a conversion', () => {
  it('have a currency that is not among the newest 100 transactions', async () => {
    const euros = Array.from({ length: 101 }, () => ({ type: 'payment', amount: 100, daysAgo: 1 }));
    const dollars = { type: 'payment', amount: 7_000, currency: 'usd', daysAgo: 2 };
    const shop = await Shop.open(sandbox, { steps: [{ type: 'settle-in', currency: 'usd' }, dollars, ...euros] });
    const opening = stripeConversionSource({ baseUrl: sandbox.url, now: () => new Date() });
    const source = opening.open(opening.settingsSchema.parse({}), {}, { authMode: 'api_key', credentials: { apiKey: shop.key } });
    const found: unknown[] = [];
    for await (const { records } of source.read(context, null, new Date(`${utcDaysAgo(3)}T00:00:00Z`)))
      found.push(...records.map(({ account_id, amount }) => `${String(account_id)} ${String(amount)}`));
    expect(found).toHaveLength(102);
    expect(found).toContain(`${shop.id}/usd 70.00`);
  });
});

describe('a slice', () => {
  it('with payments that are added while its pages are read has every row once', async () => {
    const steps = Array.from({ length: 120 }, (_, place) => ({ type: 'payment', amount: 1_000 + place, daysAgo: 1 }));
    const shop = await Shop.open(sandbox, { steps });
    await shop.fault('rows_added');
    const rows = await read(shop.key, {}, 2);
    const before = rows.filter(({ date }) => date === utcDaysAgo(1));
    expect(before).toHaveLength(120);
    expect(new Set(rows.map(({ event_id }) => event_id)).size).toBe(rows.length);
  });

  it('names the customer as chosen, and the payment of a refund, dispute or returned debit', async () => {
    const shop = await Shop.open(sandbox);
    await shop.run(
      { type: 'payment', ref: 'sale', amount: 5_000, email: 'a@shop.example', metadata: { member: 'm-7' }, daysAgo: 2 },
      { type: 'refund', payment: 'sale', amount: 1_000, daysAgo: 1 },
    );
    for (const [customerIdType, id] of [
      ['email', 'a@shop.example'],
      ['metadata:member', 'm-7'],
    ] as const)
      // prettier-ignore
      expect((await read(shop.key, { customerIdType }, 3)).map(({ customer_id }) => customer_id)).toEqual([id, id]);
    const rows = await read(shop.key, {}, 3);
    const [sale, refund] = ['payment_received', 'payment_refunded'].map((name) => rows.find(({ event }) => event === name));
    expect(refund?.['original_event_id']).toBe(sale?.['event_id']);
    expect(refund?.['payment_id']).toBe(shop.idOf('sale'));
  });

  it('with a fee that is booked late has the payment once, on the day of its booking', async () => {
    const shop = await Shop.open(sandbox);
    await shop.run({ type: 'payment', ref: 'late', amount: 5_000, isBalanceLate: true, daysAgo: 2 });
    expect(await read(shop.key, {}, 3)).toEqual([]);
    await shop.run({ type: 'settle', payment: 'late', daysAgo: 1 });
    expect(await read(shop.key, {}, 3)).toMatchObject([{ event: 'payment_received', date: utcDaysAgo(1) }]);
  });
});

describe('a slice of subscriptions', () => {
  const plan = { type: 'subscription', ref: 'plan', email: 'member@shop.example', items: [{ amount: 1_200 }] };
  const momentsOf = (rows: Record<string, string>[]) =>
    rows.filter(({ subscription_id }) => subscription_id).map(({ event, date }) => [event, date]);

  it('has the start of one that was created on a later day', async () => {
    const shop = await Shop.open(sandbox, { steps: [{ ...plan, daysAgo: 1, backdatedDays: 8 }] });
    const source = connector().open(keyOf(shop.key), usual);
    const [account] = await source.listAccounts(context);
    const slice = { from: utcDaysAgo(9), to: utcDaysAgo(9) };
    expect(momentsOf(await readAccount(source, account as AdAccount, 9, slice))).toEqual([
      ['subscription_started', utcDaysAgo(9)],
    ]);
  });

  it('has no start of one that is paused because its trial ended without a payment method', async () => {
    const shop = await Shop.open(sandbox, { steps: [{ ...plan, daysAgo: 5, trialDays: 2 }] });
    await shop.run({ type: 'change-subscription', subscription: 'plan', status: 'paused', daysAgo: 3 });
    expect(momentsOf(await read(shop.key, {}, 6))).toEqual([
      ['trial_started', utcDaysAgo(5)],
      ['trial_ended', utcDaysAgo(3)],
    ]);
  });
});

describe('a slice with more charges than are kept in memory', () => {
  it('is split into its days, and a day is read whole', async () => {
    const steps = [1, 2].flatMap((daysAgo) => [100, 200].map((amount) => ({ type: 'payment', amount, daysAgo })));
    const shop = await Shop.open(sandbox, { steps });
    const limited = stripeConnector({ baseUrl: sandbox.url, now: () => new Date(), mostCharges: 3 });
    const source = limited.open(keyOf(shop.key), usual);
    const [account] = await source.listAccounts(context);
    const readDays = (from: number, to: number) =>
      readAccount(source, account as AdAccount, from, { from: utcDaysAgo(from), to: utcDaysAgo(to) });
    await expect(readDays(2, 1)).rejects.toBeInstanceOf(SplitSlice);
    expect(await readDays(2, 2)).toHaveLength(2);
    expect(await readDays(1, 1)).toHaveLength(2);
  });

  it('is read whole if it is a single day', async () => {
    const shop = await Shop.open(sandbox, { steps: [1, 2, 3, 4].map((amount) => ({ type: 'payment', amount, daysAgo: 1 })) });
    const limited = stripeConnector({ baseUrl: sandbox.url, now: () => new Date(), mostCharges: 3 });
    const source = limited.open(keyOf(shop.key), usual);
    const [account] = await source.listAccounts(context);
    const day = { from: utcDaysAgo(1), to: utcDaysAgo(1) };
    expect(await readAccount(source, account as AdAccount, 1, day)).toHaveLength(4);
  });
});

it.each([
  ['EUR', 2, 12_34n, 12_340_000n],
  ['JPY', 0, 500n, 500_000_000n],
  ['KWD', 3, 1_230n, 1_230_000n],
  ['UGX', 2, 500n, 5_000_000n],
  ['ISK', 2, 500n, 5_000_000n],
])('%s has %i decimals in amounts of the API', (currency, decimals, minor, micros) => {
  expect(decimalsOf(currency)).toBe(decimals);
  expect(toMicros(minor, currency)).toBe(micros);
  expect(toMinor(micros, currency)).toBe(minor);
});

it('the signature of the published vector is valid for five minutes', async () => {
  const { createHmac } = await import('node:crypto');
  const published = '0c8670ed117751cc551a20e35839447075c42800ea3cf3e8a2fbda99cd1e6edd';
  const sign = (text: string) => createHmac('sha256', 'whsec_test_secret').update(`1700000000.${text}`).digest('hex');
  expect(sign('{"id":"evt_1","object":"event"}')).toBe(published);
  const text = '{"id":"evt_1","type":"charge.failed","created":1,"data":{"object":{}}}';
  const verify = (header: string, seconds: number) =>
    readSignedEvent(Buffer.from(text), header, 'whsec_test_secret', new Date((1_700_000_000 + seconds) * 1_000));
  expect(verify(`t=1700000000,v1=${sign(text)}`, 300)?.id).toBe('evt_1');
  expect(verify(`t=1700000000,v1=${sign(text)}`, 301)).toBeNull();
  expect(verify(`t=1700000000,v1=${published}`, 0)).toBeNull();
});
