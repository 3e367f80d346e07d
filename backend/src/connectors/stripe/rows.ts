import type { Row } from '../kit/contract.js';
import { customerOf, type KnownObjects } from './customers.js';
import { eventOfCategory, type PaymentEvent } from './events.js';
import { toMicros } from './money.js';
import type { BalanceTransaction, StripeCharge, StripeSubscription } from './objects.js';

type AmountMode = 'gross' | 'net';

/** Null if the transaction is no event of a customer, such as a payout. */
export async function moneyRow(
  accountId: string,
  transaction: BalanceTransaction,
  mode: AmountMode,
  known: KnownObjects,
): Promise<Row | null> {
  const event = eventOfCategory[transaction.reporting_category];
  if (!event) return null;
  const charge = await chargeOf(transaction, known);
  const amount = BigInt(mode === 'gross' ? transaction.amount : transaction.net);
  const isPayment = event === 'payment_received';
  return {
    ...eventColumns(accountId, transaction.id, event, transaction.created),
    ...amountColumns(transaction.currency, amount, BigInt(transaction.fee)),
    ...chargedColumns(transaction, charge),
    ...(await customerColumns(charge, known)),
    payment_id: charge?.id ?? null,
    original_event_id: isPayment ? null : (charge?.balance_transaction ?? null),
    subscription_id: null,
  };
}

/** A failed charge with a balance transaction took money and gave it back: those are events of their own. */
export const isFailedPayment = ({ status, failure_balance_transaction, balance_transaction }: StripeCharge): boolean =>
  status === 'failed' && !failure_balance_transaction && !balance_transaction;

/** An attempt that the bank declined. No money moved. */
export async function failedPaymentRow(accountId: string, charge: StripeCharge, known: KnownObjects): Promise<Row> {
  return {
    ...eventColumns(accountId, charge.id, 'payment_failed', charge.created),
    ...amountColumns(charge.currency, 0n, 0n),
    charged_currency: charge.currency.toUpperCase(),
    charged_minor: BigInt(charge.amount),
    ...(await customerColumns(charge, known)),
    payment_id: charge.id,
    original_event_id: null,
    subscription_id: null,
  };
}

/** What a subscription has gone through until now, on the given days or on all. Its customer is kept only if there is a row. */
export async function subscriptionRows(
  accountId: string,
  subscription: StripeSubscription,
  known: KnownObjects,
  now: Date,
  days?: { from: string; to: string },
): Promise<Row[]> {
  const isAsked = (at: number) => !days || (dayOf(at) >= days.from && dayOf(at) <= days.to);
  const moments = momentsOf(subscription).filter(([, at]) => at <= now.getTime() / 1_000 && isAsked(at));
  if (moments.length === 0) return [];
  known.keepCustomer(subscription);
  const customer = await customerColumns(subscription, known);
  return moments.map(([event, at]) => ({
    ...eventColumns(accountId, `${subscription.id}:${event}`, event, at),
    ...amountColumns(subscription.currency, 0n, 0n),
    ...{ charged_currency: null, charged_minor: null },
    ...customer,
    ...{ payment_id: null, original_event_id: null, subscription_id: subscription.id },
  }));
}

/**
 * A first payment that was never made is no start. A trial that is canceled starts no subscription, nor does one that ended without a
 * payment method: only such a one has the status `paused`.
 */
function momentsOf({ status, start_date, ended_at, trial_start, trial_end }: StripeSubscription): [PaymentEvent, number][] {
  if (status === 'incomplete' || status === 'incomplete_expired') return [];
  const moments: [PaymentEvent, number][] = [];
  const trialEnd = trial_end === null ? null : Math.min(trial_end, ended_at ?? trial_end);
  if (trial_start !== null && trialEnd !== null) moments.push(['trial_started', trial_start], ['trial_ended', trialEnd]);
  const startedAt = trial_end ?? start_date;
  if (ended_at !== null && ended_at <= startedAt && trial_end !== null) return moments;
  if (status === 'paused') return moments;
  moments.push(['subscription_started', startedAt]);
  if (ended_at !== null) moments.push(['subscription_ended', ended_at]);
  return moments;
}

export async function chargeOf({ source }: BalanceTransaction, known: KnownObjects): Promise<StripeCharge | null> {
  if (source === null || typeof source === 'string') return null;
  const id = source.object === 'charge' ? source.id : source.charge;
  return id ? known.charge(id) : null;
}

const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

function eventColumns(accountId: string, eventId: string, event: PaymentEvent, seconds: number): Row {
  const occurredAt = new Date(seconds * 1_000).toISOString();
  return { account_id: accountId, date: occurredAt.slice(0, 10), event_id: eventId, event, occurred_at: occurredAt };
}

const amountColumns = (currency: string, minor: bigint, fee: bigint): Row => ({
  currency: currency.toUpperCase(),
  amount_minor: minor,
  amount_micros: toMicros(minor, currency),
  fee_minor: fee,
});

/** Refunds and disputes have an amount in the customer's currency of their own; it has the sign of the money that moved. */
function chargedColumns({ amount, source }: BalanceTransaction, charge: StripeCharge | null): Row {
  const own = source !== null && typeof source !== 'string' ? source : null;
  const charged = own?.amount ?? charge?.amount;
  const currency = own?.currency ?? charge?.currency;
  if (charged === undefined || !currency) return { charged_currency: null, charged_minor: null };
  return { charged_currency: currency.toUpperCase(), charged_minor: BigInt(amount < 0 ? -charged : charged) };
}

async function customerColumns(holder: StripeCharge | StripeSubscription | null, known: KnownObjects): Promise<Row> {
  if (!holder) return { customer_id: null, stripe_customer_id: null };
  return { customer_id: await known.customerIdOf(holder), stripe_customer_id: customerOf(holder) };
}
