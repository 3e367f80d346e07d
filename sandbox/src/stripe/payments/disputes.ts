import { InvalidFault } from '../../faults.ts';
import type { PaymentAccount } from './account.ts';
import { book, settlementOf } from './balance.ts';
import { disputeConstants } from './constants.ts';
import { convert, decimalsOf, roundTo } from './currencies.ts';
import type { Charge, Dispute, DisputeStatus } from './objects.ts';

export interface DisputeRequest {
  amount: number;
  at: number;
  /** `warning_…` and `prevented` move no money. */
  status: DisputeStatus;
  reason: string;
}

const feeUnits = 15;
const ended: DisputeStatus[] = ['won', 'lost', 'prevented', 'warning_closed'];

/** A dispute of a charge or of a part of it. Unless it is an inquiry or was prevented, its money leaves the balance immediately. */
export function openDispute(account: PaymentAccount, charge: Charge, { amount, at, status, reason }: DisputeRequest): Dispute {
  if (charge.status !== 'succeeded' || !charge.captured) throw new InvalidFault(`The charge ${charge.id} cannot be disputed`);
  if (amount > charge.amount_captured) throw new InvalidFault(`${amount} is more than the charge ${charge.id}`);
  const dispute = account.disputes.add({
    ...disputeConstants,
    id: account.newId('du_'),
    object: 'dispute',
    ...{ amount, balance_transactions: [], charge: charge.id, created: at, currency: charge.currency },
    ...{ is_charge_refundable: status.startsWith('warning'), livemode: account.identity.isLive, metadata: {} },
    ...{ payment_intent: charge.payment_intent, reason, status },
  });
  account.update('charge.updated', charge, { disputed: true }, at);
  account.emit('charge.dispute.created', dispute, at);
  if (hasMoney(status)) withdraw(account, dispute, at);
  if (ended.includes(status)) account.emit('charge.dispute.closed', dispute, at);
  return dispute;
}

/** Moves a dispute on. An inquiry may become a dispute, and a won one gives the money back. */
export function changeDispute(account: PaymentAccount, dispute: Dispute, status: DisputeStatus, at: number): void {
  if (ended.includes(dispute.status)) throw new InvalidFault(`The dispute ${dispute.id} has ended: ${dispute.status}`);
  if (status === 'prevented') throw new InvalidFault('A dispute is prevented from its start, or not at all');
  const isClosed = ended.includes(status);
  account.update(isClosed ? 'charge.dispute.closed' : 'charge.dispute.updated', dispute, { status }, at);
  if (hasMoney(status) && dispute.balance_transactions.length === 0) withdraw(account, dispute, at);
  if (status === 'won') reinstate(account, dispute, at);
}

function hasMoney(status: DisputeStatus): boolean {
  return !status.startsWith('warning') && status !== 'prevented';
}

function withdraw(account: PaymentAccount, dispute: Dispute, at: number): void {
  const rate = account.rates.get(dispute.charge) ?? null;
  const currency = settlementOf(account, dispute.currency, rate);
  const booked = book(account, {
    currency,
    ...{ type: 'adjustment', category: 'dispute', amount: -convert(dispute.amount, rate, currency), at },
    ...{ fee: roundTo(feeUnits * 10 ** decimalsOf(currency), currency), feeDescription: 'Dispute fee', source: dispute.id },
    ...{ exchangeRate: rate, description: `Chargeback withdrawal for ${dispute.charge}` },
  });
  dispute.is_charge_refundable = false;
  dispute.balance_transactions = [booked];
  account.emit('charge.dispute.funds_withdrawn', dispute, at);
}

/** The fee of the dispute is kept. */
function reinstate(account: PaymentAccount, dispute: Dispute, at: number): void {
  const [deducted] = dispute.balance_transactions;
  if (!deducted) return;
  const booked = book(account, {
    currency: deducted.currency,
    ...{ type: 'adjustment', category: 'dispute_reversal', amount: -deducted.amount, source: dispute.id, at },
    ...{ exchangeRate: deducted.exchange_rate, description: `Chargeback reversal for ${dispute.charge}` },
  });
  dispute.balance_transactions = [deducted, booked];
  account.emit('charge.dispute.funds_reinstated', dispute, at);
}
