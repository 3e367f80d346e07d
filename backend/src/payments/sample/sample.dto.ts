import type { PaymentEvent } from '../../connectors/catalog.js';

/** One loaded row, without personal data. */
export class SampledPaymentEvent {
  /** Stripe's id of the balance transaction, or of the charge or subscription. */
  eventId: string;
  event: PaymentEvent;
  occurredAt: string;
  /** Settlement currency, ISO 4217. */
  currency: string;
  /** Decimals of the smallest unit of the settlement currency: 0, 2 or 3. */
  decimals: number;
  /** Money that moved, in the smallest unit. Negative when it leaves; 0 when none moved. */
  amountMinor: number;
  feeMinor: number;
  /** Currency in which the customer paid; null for events without an amount. */
  chargedCurrency: string | null;
  chargedMinor: number | null;
  chargedDecimals: number | null;
  /** What identifies the customer. Everything but Stripe's own id is masked: `b…`. */
  customer: string | null;
  /** Event of the payment that a refund, dispute or reversal belongs to. */
  originalEventId: string | null;
}

export class PaymentEventSample {
  /** Newest first. */
  items: SampledPaymentEvent[];
  /** Events until then are loaded; null: not every destination has a verified day yet. */
  loadedUntil: string | null;
}
