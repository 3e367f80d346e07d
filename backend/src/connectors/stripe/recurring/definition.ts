/** Increased with every change of what the figure means, so that figures of different versions are not compared. */
export const RECURRING_DEFINITION_VERSION = 1;

/** Shown beside the figure. `monthly.ts` computes exactly this. */
export const recurringDefinition = {
  included: [
    'Items of subscriptions with the status active or past_due: price × quantity, for one month. A year has 12 months, a week is 12/52 of a month, a day 12/365. Prices for several intervals are divided by their number.',
    'Overdue subscriptions (past_due) count in full until Stripe cancels them or marks them as unpaid. Their part is shown.',
    'Subscriptions that end with their period count until they end. Their part is shown.',
    'Discounts that still apply are subtracted: those of items first, then those of the subscription, in Stripe’s order. An amount is subtracted once for each billing period.',
    'Prices that include tax are reduced by the inclusive tax rates of the item or the subscription.',
  ],
  leftOut: [
    'Trials, incomplete, unpaid, paused and canceled subscriptions, and those whose collection is paused.',
    'Metered items, and items without a fixed price, such as tiered prices.',
    'One-time charges, one-time discounts, prorations, exclusive taxes and Stripe’s fees.',
    'Items with a price of another currency than the subscription, and subscriptions with more items than Stripe lists at once.',
  ],
};
