import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBilling } from './stripe.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.close());

const steps: Record<string, number> = { ugx: 100, isk: 100, kwd: 10 };

interface Account {
  booked: Stripe.BalanceTransaction[];
  charges: Stripe.Charge[];
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
  invoices: Stripe.Invoice[];
  payments: Stripe.InvoicePayment[];
}

async function readAccount(id: string): Promise<Account> {
  const rows = async <T>(table: string): Promise<T[]> =>
    (await billing.admin<{ rows: T[] }>(`stripe/payments/${id}/rows/${table}`)).rows;
  return {
    booked: await rows('balance_transactions'),
    charges: await rows('charges'),
    refunds: await rows('refunds'),
    disputes: await rows('disputes'),
    invoices: await rows('invoices'),
    payments: await rows('invoice_payments'),
  };
}

const sum = <T>(list: T[], amountOf: (item: T) => number): number => list.reduce((total, item) => total + amountOf(item), 0);

/** What contradicts the rules of the ledger. */
function contradictions({ booked, charges, refunds, disputes, invoices, payments }: Account, step: number): string[] {
  const found: string[] = [];
  const require = (isSo: boolean, what: string): void => void (isSo || found.push(what));
  for (const { id, amount, fee, net } of booked)
    require(net === amount - fee && amount % step === 0 && fee % step === 0, `${id}: ${amount} - ${fee} = ${net}`);
  for (const charge of charges) {
    const own = refunds.filter((refund) => refund.charge === charge.id);
    const running = own.filter(({ status }) => status !== 'failed' && status !== 'canceled');
    require(sum(running, ({ amount }) => amount) === charge.amount_refunded, `${charge.id}: refunds`);
    const sources = new Set([charge.id, ...own.map(({ id }) => id)]);
    const money = booked.filter(({ source }) => sources.has(source as string));
    const isSale = charge.status === 'succeeded' && charge.captured;
    require(sum(money, ({ amount }) => amount) === (isSale ? charge.amount - charge.amount_refunded : 0), `${charge.id}: money`);
  }
  for (const { id, status, balance_transactions: moved } of disputes) {
    const expected = { won: 2, lost: 1, needs_response: 1, prevented: 0, warning_needs_response: 0 }[status as string];
    require(moved.length === expected, `${id}: ${status} with ${moved.length} transactions`);
  }
  for (const { id, amount_paid, amount_remaining, amount_due } of invoices) {
    const paid = payments.filter(({ invoice, status }) => invoice === id && status === 'paid');
    require(sum(paid, ({ amount_paid: part }) => part ?? 0) === amount_paid, `${id}: payments`);
    require(amount_paid + amount_remaining === amount_due, `${id}: remaining`);
  }
  return found;
}

it.each(['eur', 'usd', 'jpy', 'kwd', 'ugx', 'isk'])(
  'random histories in %s contradict no rule of the ledger',
  async (currency) => {
    for (let seed = 0; seed < 8; seed += 1) {
      const random = { seed: seed * 7_919 + currency.charCodeAt(0), steps: 60, days: 45 };
      const { id } = await billing.admin<{ id: string }>('stripe/payments', { currency, random });
      const account = await readAccount(id);
      expect(account.booked.length, `seed ${random.seed}`).toBeGreaterThan(5);
      expect(contradictions(account, steps[currency] ?? 1), `seed ${random.seed}`).toEqual([]);
      await billing.admin(`stripe/payments/${id}`, undefined, 'DELETE');
    }
  },
);

it('a contradiction would be found', async () => {
  const { id } = await billing.admin<{ id: string }>('stripe/payments', { random: { seed: 5, steps: 60 } });
  const account = await readAccount(id);
  const refunded = account.charges.find(({ amount_refunded }) => amount_refunded > 0)!;
  refunded.amount_refunded += 1;
  account.booked[0]!.net += 1;
  expect(contradictions(account, 1)).toHaveLength(3);
});
