import { daySeconds } from '../calendar.ts';
import type { PaymentAccount } from './account.ts';
import { balanceTransactionConstants } from './constants.ts';
import { convert, roundTo } from './currencies.ts';
import type { BalanceTransaction } from './objects.ts';

export interface Booking {
  type: string;
  /** How accounting groups it. Only this distinguishes adjustments. */
  category: string;
  /** In the settlement currency; negative if money leaves the account. */
  amount: number;
  /** The settlement currency; the account's own if absent. */
  currency?: string;
  fee?: number;
  feeDescription?: string;
  source: string | null;
  exchangeRate?: number | null;
  at: number;
  description?: string | null;
  /** Days until the money is available. */
  pendingDays?: number;
}

const paymentPendingDays = 2;
const feeShare = 0.029;

/** Books an amount. Balance transactions never change; only time turns `pending` into `available`. */
export function book(account: PaymentAccount, booking: Booking): BalanceTransaction {
  const { type, category, amount, fee = 0, source, exchangeRate = null, at, description = null, pendingDays = 0 } = booking;
  const { currency = account.identity.currency } = booking;
  const feeDescription = booking.feeDescription ?? 'Stripe processing fees';
  const fee_details = [{ amount: fee, application: null, currency, description: feeDescription, type: 'stripe_fee' }];
  const available_on = pendingDays === 0 ? at : at - (at % daySeconds) + pendingDays * daySeconds;
  return account.balanceTransactions.add({
    ...balanceTransactionConstants,
    id: account.newId('txn_'),
    object: 'balance_transaction',
    amount,
    available_on,
    created: at,
    currency,
    description,
    exchange_rate: exchangeRate,
    fee,
    fee_details: fee === 0 ? [] : fee_details,
    net: amount - fee,
    reporting_category: category,
    source,
    get status() {
      return available_on <= account.now() ? 'available' : 'pending';
    },
    type,
  });
}

/** What is not converted is settled in its own currency. */
export const settlementOf = (account: PaymentAccount, currency: string, rate: number | null): string =>
  rate === null ? currency : account.identity.currency;

/** Books a payment with Stripe's fee. */
export function bookPayment(
  account: PaymentAccount,
  payment: { id: string; amount: number; currency: string; isCard: boolean; description: string | null },
  rate: number | null,
  at: number,
): BalanceTransaction {
  const currency = settlementOf(account, payment.currency, rate);
  const amount = convert(payment.amount, rate, currency);
  return book(account, {
    currency,
    ...{ type: payment.isCard ? 'charge' : 'payment', category: 'charge', amount, source: payment.id, at },
    ...{ fee: roundTo(amount * feeShare, currency), exchangeRate: rate, description: payment.description },
    pendingDays: paymentPendingDays,
  });
}
