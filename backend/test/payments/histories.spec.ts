import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventOfCategory } from '../../src/connectors/stripe/events.js';
import { CheckWebhooks } from '../../src/payments/webhooks/check-webhooks.js';
import { isUsed } from '../../src/payments/webhooks/webhook-events.js';
import { countOf } from '../counts.js';
import { expectStatus } from '../factories.js';
import { aPayment, anOwner, type Owner, type PaymentScenario, rowsOf, settled, startPayments, utcDaysAgo } from './scenario.js';

const HISTORIES = countOf(100, 500);
const STEPS = 4;
const DAYS = 20;
const SECRET = 'whsec_of_histories';

interface Booked {
  amount: number;
  created: number;
  currency: string;
  reporting_category: string;
}
interface Charge {
  created: number;
  currency: string;
  status: string;
  balance_transaction: string | null;
  failure_balance_transaction: string | null;
}

let scenario: PaymentScenario;
beforeAll(async () => {
  scenario = await startPayments();
});
afterAll(() => scenario?.stop());

/** Pseudorandom numbers below 1: the same seed gives the same ones. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** Rows and amounts by day, event and currency. */
function sumUp(entries: { day: string; event: string; currency: string; amount: bigint }[]): Record<string, [number, bigint]> {
  const sums: Record<string, [number, bigint]> = {};
  for (const { day, event, currency, amount } of entries) {
    const key = `${day} ${event} ${currency}`;
    const [rows, total] = sums[key] ?? [0, 0n];
    sums[key] = [rows + 1, total + amount];
  }
  return sums;
}

/** What Stripe itself has booked, and the attempts that it declined. */
async function expectedOf({ shop }: Owner): Promise<Record<string, [number, bigint]>> {
  const booked = (await shop.rows<Booked>('balance_transactions')).flatMap(
    ({ reporting_category, created, currency, amount }) => {
      const event = eventOfCategory[reporting_category];
      return event
        ? [{ day: dayOf(created), event: event as string, currency: currency.toUpperCase(), amount: BigInt(amount) }]
        : [];
    },
  );
  const failed = (await shop.rows<Charge>('charges'))
    .filter((charge) => charge.status === 'failed' && !charge.balance_transaction && !charge.failure_balance_transaction)
    .map(({ created, currency }) => ({
      ...{ day: dayOf(created), event: 'payment_failed', currency: currency.toUpperCase(), amount: 0n },
    }));
  return sumUp([...booked, ...failed]);
}

const foundOf = async (owner: Owner): Promise<Record<string, [number, bigint]>> =>
  sumUp(
    (await rowsOf(scenario, owner)).map(({ date, event, currency, amount_minor }) => ({
      ...{ day: date, event, currency, amount: BigInt(amount_minor) },
    })),
  );

/** Webhooks arrive in any order, some twice, and most of them never. */
async function deliver(owner: Owner, seed: number): Promise<number> {
  const roll = dice(seed);
  const events = (await owner.shop.rows<{ id: string; type: string }>('events')).filter(({ type }) => isUsed(type));
  const kept = events.filter(() => roll() < 0.1).flatMap((event) => (roll() < 0.3 ? [event, event] : [event]));
  const order = new Map(kept.map((event) => [event, roll()]));
  const shuffled = kept.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  const lanes = Array.from({ length: 4 }, async () => {
    for (let event = shuffled.pop(); event; event = shuffled.pop()) {
      const body = JSON.stringify(event);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: SECRET });
      const answer = await fetch(`${scenario.app.url}/webhooks/payments/${owner.appId}`, {
        ...{ method: 'POST', body, headers: { 'content-type': 'application/json', 'stripe-signature': signature } },
      });
      expect(answer.status).toBe(200);
    }
  });
  await Promise.all(lanes);
  return events.length;
}

async function untilApplied(owner: Owner, paymentId: string): Promise<void> {
  for (;;) {
    const [row] = await scenario.app.database.query<{ open: number }>(
      'select count(*)::int as open from payment_webhook_events where payment_id = $1 and applied_at is null',
      [paymentId],
    );
    if (row?.open === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await settled(owner, paymentId)).toMatchObject({ state: 'succeeded' });
}

describe('random histories of payments, with webhooks that are duplicated, shuffled and dropped', () => {
  it.each([
    ['eur', 11],
    ['jpy', 12],
    ['kwd', 13],
    ['ugx', 14],
  ])('in %s leave the rows and amounts of Stripe at the destination', async (currency, seed) => {
    const owner = await anOwner(scenario, { currency });
    const events = ['payment_failed', ...new Set(Object.values(eventOfCategory))];
    const payment = await aPayment(owner, { historyFrom: utcDaysAgo(DAYS + 2), events });
    expectStatus(await owner.call.post(`${owner.path}/payments/${payment.id}/webhook-secret`, { secret: SECRET }), 200);
    await settled(owner, payment.id);
    // The histories lie in the past, so the payment must have existed then.
    await scenario.app.database.query(`update payments set created_at = now() - interval '29 days' where id = $1`, [payment.id]);
    for (let history = 0; history < HISTORIES; history++)
      await scenario.sandbox.admin(`stripe/payments/${owner.shop.id}/random`, {
        ...{ seed: seed * 10_000 + history, steps: STEPS, days: 1 + (history % DAYS) },
      });
    expect(await deliver(owner, seed)).toBeGreaterThan(HISTORIES);
    // Beside the job that applies the webhooks.
    await scenario.app.get(CheckWebhooks).checkAll(new AbortController().signal);
    await untilApplied(owner, payment.id);
    const expected = await expectedOf(owner);
    expect(Object.keys(expected).length).toBeGreaterThan(DAYS);
    expect(await foundOf(owner)).toEqual(expected);
  });
});
