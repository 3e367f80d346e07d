import type { KnownObjects } from './customers.js';
import type { BalanceTransaction } from './objects.js';
import { chargeOf } from './rows.js';

/**
 * Stripe books a payment of which only a part was captured in full, and the rest as a reversal. The customer paid the part, so a
 * conversion counts it, and not the reversal: null. The balance itself keeps both.
 */
export async function withCapturedPart(transaction: BalanceTransaction, known: KnownObjects): Promise<BalanceTransaction | null> {
  if (transaction.reporting_category === 'partial_capture_reversal') return null;
  if (transaction.reporting_category !== 'charge') return transaction;
  const { source, amount, net } = transaction;
  const charge = await chargeOf(transaction, known);
  if (!charge || charge.amount_captured === undefined || source === null || typeof source === 'string') return transaction;
  const rest = charge.amount - charge.amount_captured;
  if (rest <= 0) return transaction;
  // The settlement currency may be another one than the charge's.
  const reversed = Number((BigInt(amount) * BigInt(rest)) / BigInt(charge.amount));
  const part = { amount: amount - reversed, net: net - reversed };
  return { ...transaction, ...part, source: { ...source, amount: charge.amount_captured } };
}
