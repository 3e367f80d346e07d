import { numberFormat } from '~/lib/intl';

/** `€290`, `$19.50`, `¥3,000`. The amount is in the currency's smallest unit. Zero decimals are omitted. */
export function formatPrice(amountMinor: number, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const decimals = numberFormat(style).resolvedOptions().maximumFractionDigits ?? 2;
  const amount = amountMinor / 10 ** decimals;
  return numberFormat({ ...style, minimumFractionDigits: Number.isInteger(amount) ? 0 : decimals }).format(amount);
}
