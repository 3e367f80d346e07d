import { numberFormat } from '~/lib/intl';

/** An amount in the smallest unit that Stripe uses, which differs from other lists for some currencies (ISK, UGX). */
export interface Amount {
  currency: string;
  amountMinor: number;
  decimals: number;
}

/** `€174,306.42`, `¥3,000`, `KWD 12.340`; the sign before the symbol: `−€20.00`. */
export function formatMinor({ currency, amountMinor, decimals }: Amount): string {
  const text = numberFormat({
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(Math.abs(amountMinor) / 10 ** decimals);
  return amountMinor < 0 ? `−${text}` : text;
}

/** Amounts of several currencies, which are never added. */
export const formatAmounts = (amounts: readonly Amount[]): string => amounts.map(formatMinor).join(', ');
