/** Why an active subscription, or one of its items, is not part of the recurring revenue. */
export const leftOutReasons = [
  'trialing',
  'incomplete',
  'unpaid',
  'paused',
  'collection_paused',
  'metered',
  'no_fixed_amount',
  'other_currency',
  'too_many_items',
  'other_status',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** What the platform does not report, so that the amount of an included subscription may be too high. */
export const uncertainReasons = ['tax_unknown', 'discount_unknown'] as const;
export type UncertainReason = (typeof uncertainReasons)[number];

/** The recurring revenue of one month in one currency, in its smallest unit. */
export interface MonthlyRevenue {
  currency: string;
  amountMinor: number;
  /** The part of subscriptions whose last invoice is overdue. */
  pastDueMinor: number;
  /** The part of subscriptions that end with their period. */
  endingMinor: number;
  subscriptions: number;
}

export interface RecurringRevenue {
  currencies: MonthlyRevenue[];
  leftOut: { reason: LeftOutReason; count: number }[];
  uncertain: { reason: UncertainReason; count: number }[];
}
