import { numberFormat } from '~/lib/intl';
import { plural } from '~/lib/numbers';

interface PlanPrice {
  /** In the smallest unit that Stripe uses; null for a price without one amount, such as tiers. */
  amountMinor: number | null;
  decimals: number;
  currency: string;
  interval: string;
  intervalCount: number;
}

/** `€290`, `$19.50`, `¥3,000`. Zero decimals are omitted. */
function formatAmount(amount: number, currency: string, decimals: number): string {
  const digits = Number.isInteger(amount) ? 0 : decimals;
  const style = { style: 'currency', currency } as const;
  return numberFormat({ ...style, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(amount);
}

/** `€290` and `per month`; null without an amount. */
export function formatPlanPrice({ amountMinor, currency, decimals, interval, intervalCount }: PlanPrice) {
  if (amountMinor === null) return null;
  return {
    amount: formatAmount(amountMinor / 10 ** decimals, currency, decimals),
    period: `per ${intervalCount === 1 ? interval : plural(intervalCount, interval)}`,
  };
}
