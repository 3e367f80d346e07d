import { InvalidFault } from '../../faults.ts';
import { daySeconds } from '../calendar.ts';
import type { PaymentAccount } from './account.ts';
import { book } from './balance.ts';
import { payoutConstants } from './constants.ts';
import type { Payout } from './objects.ts';

const transferDays = 2;

/** Money on its way to the account's bank. */
export function addPayout(account: PaymentAccount, amount: number, at: number): Payout {
  const { currency, isLive } = account.identity;
  const id = account.newId('po_');
  const booked = book(account, {
    type: 'payout',
    category: 'payout',
    amount: -amount,
    source: id,
    at,
    description: 'STRIPE PAYOUT',
  });
  const payout = account.payouts.add({
    ...payoutConstants,
    id,
    object: 'payout',
    ...{ amount, arrival_date: at - (at % daySeconds) + transferDays * daySeconds, balance_transaction: booked.id, created: at },
    ...{ currency, failure_balance_transaction: null, failure_code: null, livemode: isLive, status: 'paid' },
  });
  account.emit('payout.created', payout, at);
  account.emit('payout.paid', payout, at);
  return payout;
}

/** The bank rejects a payout, also one that was already paid. */
export function failPayout(account: PaymentAccount, payout: Payout, at: number): void {
  if (payout.status === 'failed') throw new InvalidFault(`The payout ${payout.id} has failed already`);
  const booked = book(account, {
    type: 'payout_failure',
    category: 'payout_reversal',
    amount: payout.amount,
    source: payout.id,
    at,
  });
  const failure_balance_transaction = booked.id;
  account.update('payout.failed', payout, { status: 'failed', failure_balance_transaction, failure_code: 'account_closed' }, at);
}

/** Costs that Stripe bills apart from payments. */
export const feeTypes = { stripe_fee: 'fee', stripe_fx_fee: 'fee', tax_fee: 'tax' } as const;

export function addFee(account: PaymentAccount, type: keyof typeof feeTypes, amount: number, at: number): void {
  book(account, { type, category: feeTypes[type], amount: -amount, source: null, at, description: 'Billing usage' });
}
