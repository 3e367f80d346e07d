const MICROS = 1_000_000n;

/** `€174,306.42` from micros, rounded half away from zero to the cent. */
export function formatMoney(costMicros: string | bigint | null | undefined, currency: string | null): string {
  if (costMicros === null || costMicros === undefined) return '—';
  const micros = BigInt(costMicros);
  const magnitude = micros < 0n ? -micros : micros;
  const cents = (magnitude * 100n + MICROS / 2n) / MICROS;
  const amount = Number(cents) / 100;
  const text = currency
    ? new Intl.NumberFormat('en-US', {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: 2,
      }).format(amount)
    : new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount);
  return micros < 0n ? `−${text}` : text;
}

export const sumMicros = (values: readonly (string | null)[]): bigint =>
  values.reduce((sum, value) => sum + BigInt(value ?? 0), 0n);

/** For charts only: the precision of a double is enough there. */
export const microsToUnits = (costMicros: string): number => Number(BigInt(costMicros)) / 1e6;
