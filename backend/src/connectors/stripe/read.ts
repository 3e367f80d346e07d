import type { ConnectorContext, Page, ReadContext, Row, Slice } from '../kit/contract.js';
import { addDays } from '../kit/days.js';
import { PageBuilder } from '../kit/rows/page-builder.js';
import { accountOf, inCurrency } from './accounts.js';
import type { StripeApi } from './api.js';
import { KnownObjects } from './customers.js';
import { pageProblems } from './errors.js';
import { type PaymentEvent, subscriptionEvents } from './events.js';
import { balanceTransactionSchema, chargeSchema, subscriptionSchema } from './objects.js';
import { withCapturedPart } from './captured-part.js';
import { failedPaymentRow, isFailedPayment, moneyRow, subscriptionRows } from './rows.js';
import type { SourceSettings } from './settings.js';

export interface ReadParts {
  api: StripeApi;
  settings: SourceSettings;
  now(): Date;
  /** True: a payment counts with the captured part of its authorization, without a reversal of the rest. */
  countsCaptured?: boolean;
  /** True: the account of the default currency has the money of all currencies. */
  hasAllCurrencies?: boolean;
  mostCharges?: number | undefined;
}

/** About 20 MB. A single day is read whole. */
const MOST_CHARGES = 20_000;

/** The days of a slice as Stripe's filter of `created`, in seconds. */
interface Created extends Record<string, number> {
  'created[gte]': number;
  'created[lt]': number;
}

/**
 * Reads the events of some days. What moved money comes from the balance transactions of the settlement currency; what did not,
 * such as failed payments and subscriptions, belongs to the default currency's account and comes from the objects themselves:
 * Stripe's list of events reaches only 30 days back, so days that are read again later would lose these rows.
 */
export async function* readSlice(parts: ReadParts, context: ReadContext, slice: Slice): AsyncGenerator<Page> {
  const { events } = parts.settings;
  const pages = new PageBuilder(slice, {}, pageProblems);
  let rows = 0;
  for await (const batch of rowsOf(parts, context, slice)) {
    for (const row of batch) {
      if (!events.includes(row.event as PaymentEvent)) continue;
      pages.addRow(row);
      rows++;
    }
    yield* pages.take();
  }
  yield* pages.takeAll();
  // Every page of every list was read to its end, so these are all rows that Stripe has.
  yield { lines: Buffer.alloc(0), rowCount: 0, days: [], providerRows: rows };
}

/** The rows of all events of some days, list by list. */
export async function* rowsOf(
  parts: ReadParts,
  context: ConnectorContext,
  slice: Pick<Slice, 'account' | 'from' | 'to'>,
): AsyncGenerator<Row[]> {
  const { api, settings } = parts;
  const most = slice.from === slice.to ? Infinity : (parts.mostCharges ?? MOST_CHARGES);
  const known = new KnownObjects(api, context, settings.customerIdType, most);
  const created = createdIn(slice);
  const { isDefault, currency } = accountOf(slice.account.externalId);
  const accountId = slice.account.externalId;
  // Also fills the known charges, so that their balance transactions need no further requests.
  for await (const charges of api.list(context, '/v1/charges', chargeSchema, { ...created, expand: ['data.customer'] })) {
    const failed: Row[] = [];
    for (const charge of charges) {
      known.keep(charge);
      if (isDefault && isFailedPayment(charge)) failed.push(await failedPaymentRow(accountId, charge, known));
    }
    yield failed;
  }
  const own = currency ?? slice.account.currency.toLowerCase();
  const others = new Set<string>();
  // The account of the default currency sees all currencies, so that one that no list of accounts has shown is found.
  const filter = { ...created, ...(!isDefault && { currency: own }), expand: ['data.source'] };
  for await (const booked of api.list(context, '/v1/balance_transactions', balanceTransactionSchema, filter)) {
    const rows: Row[] = [];
    for (const transaction of booked) {
      if (transaction.currency !== own) {
        if (!others.has(transaction.currency)) await context.onAccount?.(inCurrency(slice.account, transaction.currency));
        others.add(transaction.currency);
        if (!parts.hasAllCurrencies) continue;
      }
      const id = transaction.currency === own ? accountId : inCurrency(slice.account, transaction.currency).externalId;
      const counted = parts.countsCaptured ? await withCapturedPart(transaction, known) : transaction;
      const row = counted && (await moneyRow(id, counted, settings.amountMode, known));
      if (row) rows.push(row);
    }
    yield rows;
  }
  if (!isDefault || !settings.events.some((event) => subscriptionEvents.has(event))) return;
  yield* rowsOfSubscriptions(parts, context, { accountId, known }, slice);
}

/**
 * The rows of all subscriptions, on the given days or on all. One that was created earlier may have ended on these days, and a later
 * one may have been backdated to them. Stripe has no filter for either.
 */
export async function* rowsOfSubscriptions(
  { api, settings, now }: ReadParts,
  context: ConnectorContext,
  { accountId, known }: { accountId: string; known?: KnownObjects },
  days?: { from: string; to: string },
): AsyncGenerator<Row[]> {
  const every = { status: 'all', expand: ['data.customer'] };
  for await (const subscriptions of api.list(context, '/v1/subscriptions', subscriptionSchema, every)) {
    const rows: Row[] = [];
    // Without objects of a slice, the customers are known for one page only: an account may have millions.
    const ofPage = known ?? new KnownObjects(api, context, settings.customerIdType);
    for (const subscription of subscriptions) {
      rows.push(...(await subscriptionRows(accountId, subscription, ofPage, now(), days)));
    }
    yield rows;
  }
}

function createdIn({ from, to }: Pick<Slice, 'from' | 'to'>): Created {
  return { 'created[gte]': secondsOf(from), 'created[lt]': secondsOf(addDays(to, 1)) };
}

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;
