import { numberFormat } from '~/lib/intl';

const MICROS = 1_000_000n;

/** The code of ISO 4217 for no currency: such data, for example pushed events, has no cost. */
const NO_CURRENCY = 'XXX';

export const hasCurrency = (currency: string | null): boolean => currency !== NO_CURRENCY;

/** Digits after the point: 2 for most currencies, 0 for the yen, 3 for the dinar of Kuwait. */
const digitsOf = (currency: string): number =>
  numberFormat({ style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** `€174,306.42` or `¥477,957` from micros, rounded half away from zero to the smallest unit of the currency. */
export function formatMoney(costMicros: string | bigint | null | undefined, currency: string | null): string {
  if (costMicros === null || costMicros === undefined || !hasCurrency(currency)) return '—';
  const micros = BigInt(costMicros);
  const magnitude = micros < 0n ? -micros : micros;
  const digits = currency ? digitsOf(currency) : 2;
  const units = 10n ** BigInt(digits);
  const rounded = (magnitude * units + MICROS / 2n) / MICROS;
  const amount = Number(rounded) / Number(units);
  const text = currency
    ? numberFormat({
        style: 'currency',
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }).format(amount)
    : numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount);
  return micros < 0n && rounded > 0n ? `−${text}` : text;
}

export const sumMicros = (values: readonly (string | null)[]): bigint =>
  values.reduce((sum, value) => sum + BigInt(value ?? 0), 0n);

/** For charts only: the precision of a double is enough there. */
export const microsToUnits = (costMicros: string): number => Number(BigInt(costMicros)) / 1e6;
