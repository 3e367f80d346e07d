import { InvalidFault } from '../../faults.ts';
import type { PaymentAccount } from './account.ts';
import { book, settlementOf } from './balance.ts';
import { refundConstants } from './constants.ts';
import { convert } from './currencies.ts';
import type { Charge, Refund, RefundStatus } from './objects.ts';

export interface RefundRequest {
  amount: number;
  at: number;
  status: RefundStatus;
  reason: string | null;
  /** `capture`: the part that was not captured; `release`: of an authorization, without money. */
  kind: 'refund' | 'capture' | 'release';
}

/** A refund of a charge. Its money leaves the balance immediately, also while it is pending. */
export function addRefund(account: PaymentAccount, charge: Charge, request: RefundRequest): Refund {
  const { amount, at, status, reason, kind } = request;
  const isCard = charge.payment_method_details.type === 'card';
  const id = account.newId(isCard ? 're_' : 'pyr_');
  const isBooked = kind !== 'release' && status !== 'requires_action';
  const refund = account.refunds.add({
    ...refundConstants,
    id,
    object: 'refund',
    amount,
    balance_transaction: isBooked ? bookRefund(account, charge, id, request) : null,
    ...{ charge: charge.id, created: at, currency: charge.currency, customer: charge.customer, metadata: {} },
    payment_intent: charge.payment_intent,
    ...(status === 'pending' && { pending_reason: 'processing' }),
    ...{ reason, status },
  });
  const amount_refunded = charge.amount_refunded + amount;
  const changes: Partial<Charge> = { amount_refunded, refunded: amount_refunded === charge.amount };
  account.emit('refund.created', refund, at);
  account.update('charge.refunded', charge, changes, at);
  return refund;
}

/** Refunds a part or all of a captured charge. */
export function refundCharge(account: PaymentAccount, charge: Charge, request: Omit<RefundRequest, 'kind'>): Refund {
  const rest = charge.status === 'succeeded' && charge.captured ? charge.amount - charge.amount_refunded : 0;
  if (request.amount > rest) throw new InvalidFault(`Of the charge ${charge.id}, ${rest} can be refunded, not ${request.amount}`);
  return addRefund(account, charge, { ...request, kind: 'refund' });
}

/** Ends a refund. A failed one gives the money back to the account with a transaction of its own. */
export function changeRefund(account: PaymentAccount, refund: Refund, status: RefundStatus, at: number): void {
  if (refund.status === 'failed' || refund.status === 'canceled')
    throw new InvalidFault(`The refund ${refund.id} has ended: ${refund.status}`);
  const charge = account.charges.get(refund.charge);
  if (!charge) throw new Error(`The refund ${refund.id} has no charge`);
  const changes: Partial<Refund> = { status };
  const isBooked = refund.balance_transaction !== null;
  if (status === 'succeeded' && !isBooked)
    changes.balance_transaction = bookRefund(account, charge, refund.id, { ...refund, at, status, kind: 'refund' });
  if (status === 'failed' || status === 'canceled') {
    if (isBooked) changes.failure_balance_transaction = bookFailure(account, charge, refund, at);
    if (status === 'failed') changes.failure_reason = 'expired_or_canceled_card';
    const restored = charge.amount_refunded - refund.amount;
    account.update('charge.updated', charge, { amount_refunded: restored, refunded: false }, at);
  }
  delete refund.pending_reason;
  account.update('charge.refund.updated', refund, changes, at);
  account.emit('refund.updated', refund, at);
  if (status === 'failed') account.emit('refund.failed', refund, at);
}

function bookRefund(account: PaymentAccount, charge: Charge, id: string, { amount, at, kind }: RefundRequest): string {
  const rate = account.rates.get(charge.id) ?? null;
  const isCard = charge.payment_method_details.type === 'card';
  const currency = settlementOf(account, charge.currency, rate);
  return book(account, {
    currency,
    type: isCard ? 'refund' : 'payment_refund',
    category: kind === 'capture' ? 'partial_capture_reversal' : 'refund',
    amount: -convert(amount, rate, currency),
    ...{ source: id, exchangeRate: rate, at, description: `REFUND FOR CHARGE ${charge.id}` },
  }).id;
}

function bookFailure(account: PaymentAccount, charge: Charge, refund: Refund, at: number): string {
  const rate = account.rates.get(charge.id) ?? null;
  const currency = settlementOf(account, charge.currency, rate);
  return book(account, {
    currency,
    ...{ type: 'refund_failure', category: 'refund_failure', source: refund.id, exchangeRate: rate, at },
    ...{ amount: convert(refund.amount, rate, currency), description: `REFUND FAILURE FOR CHARGE ${charge.id}` },
  }).id;
}
