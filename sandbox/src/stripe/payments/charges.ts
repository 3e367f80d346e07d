import type { Metadata } from '../objects.ts';
import { InvalidFault } from '../../faults.ts';
import type { PaymentAccount } from './account.ts';
import { book, bookPayment, settlementOf } from './balance.ts';
import { cardDetails, chargeConstants, paymentIntentConstants, sepaDetails } from './constants.ts';
import { convert } from './currencies.ts';
import type { Charge, PaymentIntent } from './objects.ts';
import { addRefund } from './refunds.ts';

export const methods = ['card', 'sepa_debit'] as const;

export interface PaymentRequest {
  at: number;
  amount: number;
  currency: string;
  customer: string | null;
  email: string | null;
  description: string | null;
  metadata: Metadata;
  method: (typeof methods)[number];
  /** Attempts that the bank declines before the last one. */
  failedTries: number;
  /** True: the last attempt is declined too. */
  isDeclined: boolean;
  /** True: the amount is only authorized until it is captured. */
  isManual: boolean;
  /** True: the fee is not known yet; the step `settle` adds it. */
  isBalanceLate: boolean;
  /** For a payment in another currency than the account's. */
  exchangeRate: number | null;
}

const declined = { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' };
const secondsBetweenTries = 60;

/** A payment intent with all its attempts, or more attempts of a known one. Returns the last charge. */
export function pay(account: PaymentAccount, request: PaymentRequest, known?: PaymentIntent): Charge {
  const intent = known ?? addIntent(account, request);
  if (!known) account.emit('payment_intent.created', intent, request.at);
  const failures = request.failedTries + (request.isDeclined ? 1 : 0);
  let charge: Charge | null = null;
  for (let attempt = 0; attempt < failures; attempt += 1)
    charge = fail(account, intent, request, request.at + attempt * secondsBetweenTries);
  if (charge && request.isDeclined) return charge;
  return succeed(account, intent, request, request.at + failures * secondsBetweenTries);
}

/** Adds the fee and the net amount, which may come after the payment. */
export function settle(account: PaymentAccount, charge: Charge, at: number): void {
  if (charge.balance_transaction !== null || charge.status !== 'succeeded' || !charge.captured)
    throw new InvalidFault(`The charge ${charge.id} has nothing to settle`);
  const { id, amount, currency, description } = charge;
  const payment = { id, amount, currency, description, isCard: isCard(charge) };
  const booked = bookPayment(account, payment, account.rates.get(id) ?? null, at);
  account.update('charge.updated', charge, { balance_transaction: booked.id }, at);
  const rest = charge.amount - charge.amount_captured;
  if (rest > 0) addRefund(account, charge, { amount: rest, at, status: 'succeeded', reason: null, kind: 'capture' });
}

/**
 * Captures an authorized payment. Of a part, Stripe books the whole amount and a reversal of the rest, which is a refund with the
 * category partial_capture_reversal.
 */
export function capture(account: PaymentAccount, charge: Charge, amount: number, at: number): void {
  const intent = intentOf(account, charge);
  if (intent.status !== 'requires_capture') throw new InvalidFault(`The charge ${charge.id} cannot be captured`);
  if (amount > charge.amount) throw new InvalidFault(`${amount} is more than the authorized ${charge.amount}`);
  account.update('charge.captured', charge, { captured: true, amount_captured: amount }, at);
  settle(account, charge, at);
  account.update('payment_intent.succeeded', intent, { status: 'succeeded', amount_received: amount, amount_capturable: 0 }, at);
}

/** Releases an authorized payment. No money moves, although the charge counts as refunded. */
export function cancelPayment(account: PaymentAccount, charge: Charge, at: number): void {
  const intent = intentOf(account, charge);
  if (intent.status !== 'requires_capture') throw new InvalidFault(`The payment ${intent.id} cannot be canceled`);
  addRefund(account, charge, { amount: charge.amount, at, status: 'succeeded', reason: null, kind: 'release' });
  const canceled = { canceled_at: at, cancellation_reason: 'requested_by_customer', amount_capturable: 0 };
  account.update('payment_intent.canceled', intent, { status: 'canceled', ...canceled }, at);
}

/** The bank takes a debit back, days after it succeeded. */
export function returnDebit(account: PaymentAccount, charge: Charge, at: number): void {
  if (isCard(charge) || charge.status !== 'succeeded')
    throw new InvalidFault(`Only a successful debit can be returned, not ${charge.id}`);
  const rate = account.rates.get(charge.id) ?? null;
  const currency = settlementOf(account, charge.currency, rate);
  const booked = book(account, {
    currency,
    ...{ type: 'payment_failure_refund', category: 'charge_failure', source: charge.id, exchangeRate: rate, at },
    amount: -convert(charge.amount, rate, currency),
  });
  const failure = { failure_code: 'insufficient_funds', failure_message: 'The account has insufficient funds.' };
  const changes: Partial<Charge> = { status: 'failed', paid: false, failure_balance_transaction: booked.id, ...failure };
  account.update('charge.failed', charge, changes, at);
  const error = { ...declined, type: 'card_error' as const };
  const intent = { status: 'requires_payment_method' as const, amount_received: 0, last_payment_error: error };
  account.update('payment_intent.payment_failed', intentOf(account, charge), intent, at);
}

export function isCard(charge: Charge): boolean {
  return charge.payment_method_details.type === 'card';
}

export function intentOf(account: PaymentAccount, charge: Charge): PaymentIntent {
  const intent = account.paymentIntents.get(charge.payment_intent);
  if (!intent) throw new Error(`The charge ${charge.id} has no payment intent`);
  return intent;
}

function addIntent(account: PaymentAccount, request: PaymentRequest): PaymentIntent {
  const { amount, currency, customer, description, metadata, at } = request;
  return account.paymentIntents.add({
    ...paymentIntentConstants,
    id: account.newId('pi_'),
    object: 'payment_intent',
    ...{ amount, amount_capturable: 0, amount_received: 0, canceled_at: null, cancellation_reason: null },
    capture_method: request.isManual ? 'manual' : 'automatic_async',
    ...{ created: at, currency, customer, description, last_payment_error: null, latest_charge: null, metadata },
    livemode: account.identity.isLive,
    payment_method_types: [request.method],
    status: 'requires_payment_method',
  });
}

function addCharge(account: PaymentAccount, intent: PaymentIntent, request: PaymentRequest, at: number): Charge {
  const { amount, currency, customer, description, email, metadata, method } = request;
  // Payments without a card have ids of their own form; the object is a charge as well.
  const charge = account.charges.add({
    ...chargeConstants,
    id: account.newId(method === 'card' ? 'ch_' : 'py_'),
    object: 'charge',
    ...{ amount, amount_captured: 0, amount_refunded: 0, balance_transaction: null, captured: false },
    billing_details: { address: null, email, name: null, phone: null, tax_id: null },
    ...{ created: at, currency, customer, description, disputed: false, failure_balance_transaction: null },
    ...{ failure_code: null, failure_message: null, livemode: account.identity.isLive, metadata, paid: false },
    payment_intent: intent.id,
    payment_method_details: method === 'card' ? cardDetails : sepaDetails,
    ...{ receipt_email: email, refunded: false, status: 'failed' },
  });
  if (request.exchangeRate !== null) account.rates.set(charge.id, request.exchangeRate);
  return charge;
}

function fail(account: PaymentAccount, intent: PaymentIntent, request: PaymentRequest, at: number): Charge {
  const charge = addCharge(account, intent, request, at);
  Object.assign(charge, { failure_code: declined.code, failure_message: declined.message });
  account.emit('charge.failed', charge, at);
  const last_payment_error = { ...declined, type: 'card_error' as const };
  account.update('payment_intent.payment_failed', intent, { latest_charge: charge.id, last_payment_error }, at);
  return charge;
}

function succeed(account: PaymentAccount, intent: PaymentIntent, request: PaymentRequest, at: number): Charge {
  const charge = addCharge(account, intent, request, at);
  const isCaptured = !request.isManual;
  const amount_captured = isCaptured ? charge.amount : 0;
  // An authorized charge counts as succeeded and paid, although no money moves before its capture.
  Object.assign(charge, { status: 'succeeded', paid: true, captured: isCaptured, amount_captured } satisfies Partial<Charge>);
  account.emit('charge.succeeded', charge, at);
  const latest: Partial<PaymentIntent> = { latest_charge: charge.id, last_payment_error: null };
  if (isCaptured) {
    account.update('payment_intent.succeeded', intent, { ...latest, status: 'succeeded', amount_received: charge.amount }, at);
    if (!request.isBalanceLate) settle(account, charge, at);
  } else {
    const changes: Partial<PaymentIntent> = { ...latest, status: 'requires_capture', amount_capturable: charge.amount };
    account.update('payment_intent.amount_capturable_updated', intent, changes, at);
  }
  return charge;
}
