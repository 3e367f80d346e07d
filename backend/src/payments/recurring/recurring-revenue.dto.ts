import type { LeftOutReason, UncertainReason } from '../../connectors/kit/recurring-revenue.js';
import { Failure } from '../../core/http/failure.dto.js';

export class RecurringRevenueAmount {
  /** ISO 4217. Amounts of different currencies are never added. */
  currency: string;
  /** Of one month, in the smallest unit of the currency, as Stripe counts it. */
  amountMinor: number;
  /** The part of subscriptions whose last invoice is overdue. */
  pastDueMinor: number;
  /** The part of subscriptions that end with their period. */
  endingMinor: number;
  /** Decimals of the smallest unit: 0, 2 or 3. */
  decimals: number;
  /** Subscriptions that are included. */
  subscriptions: number;
}

export class RecurringRevenueLeftOut {
  /** Why they are not included. */
  reason: LeftOutReason;
  /** Subscriptions, or items of subscriptions. */
  count: number;
}

export class RecurringRevenueUncertain {
  /** What Stripe does not report, so that the amount may be too high. */
  reason: UncertainReason;
  /** Subscriptions. */
  count: number;
}

export class RecurringRevenueDay {
  /** Day in UTC. */
  day: string;
  /** Figures of different versions cannot be compared. */
  definitionVersion: number;
  currencies: RecurringRevenueAmount[];
}

/** What the figure means, in sentences. */
export class RecurringRevenueDefinition {
  included: string[];
  leftOut: string[];
}

/** Monthly recurring revenue of the subscriptions of a Stripe account. */
export class RecurringRevenueEntry {
  /** Version of `definition`. It increases with every change of the meaning. */
  definitionVersion: number;
  definition: RecurringRevenueDefinition;
  /** When the subscriptions were read; null: not computed yet. */
  computedAt: string | null;
  /** Empty: no subscription is included, or it was not computed yet. */
  currencies: RecurringRevenueAmount[];
  leftOut: RecurringRevenueLeftOut[];
  uncertain: RecurringRevenueUncertain[];
  /** Why the last computation failed; the figures are then those of `computedAt`. Null: it did not fail. */
  failure: Failure | null;
  /** The last figure of each of the last 90 days, oldest first. Days without a computation are missing. */
  history: RecurringRevenueDay[];
}
