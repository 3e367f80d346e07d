import { plural } from '~/lib/numbers';

type LeftOutReason =
  | 'trialing'
  | 'incomplete'
  | 'unpaid'
  | 'paused'
  | 'collection_paused'
  | 'metered'
  | 'no_fixed_amount'
  | 'other_currency'
  | 'too_many_items'
  | 'other_status';

/** Subscriptions, or items of subscriptions that are included without them. */
export const leftOutWords: Record<LeftOutReason, string> = {
  trialing: 'In a trial',
  incomplete: 'First payment not made',
  unpaid: 'Unpaid',
  paused: 'Paused',
  collection_paused: 'Collection paused',
  metered: 'Metered items',
  no_fixed_amount: 'Items without a fixed price',
  other_currency: 'Items with a price in another currency',
  too_many_items: 'More items than Stripe lists at once',
  other_status: 'Another status',
};

export const uncertainText = ({ reason, count }: { reason: 'tax_unknown' | 'discount_unknown'; count: number }): string =>
  reason === 'tax_unknown'
    ? `${plural(count, 'subscription')} with automatic tax: prices may include tax that Stripe computes only for an invoice.`
    : `${plural(count, 'subscription')} with a discount that cannot be read, because its coupon was deleted or has another currency.`;

interface Day {
  day: string;
  definitionVersion: number;
  currencies: { currency: string; amountMinor: number }[];
}

/** The amount of the first day of the history in the same version; null without one. Other versions mean something else. */
export function earlierAmount(
  history: Day[],
  currency: string,
  definitionVersion: number,
): { day: string; amountMinor: number } | null {
  const first = history.slice(0, -1).find((one) => one.definitionVersion === definitionVersion);
  if (!first) return null;
  const amount = first.currencies.find((one) => one.currency === currency);
  return { day: first.day, amountMinor: amount?.amountMinor ?? 0 };
}
