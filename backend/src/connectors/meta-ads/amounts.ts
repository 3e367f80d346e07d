/** A decimal number in Meta's format. */
const decimal = /^(-?)(\d{1,15})(?:\.(\d+))?$/;

/** Converts a decimal in the major unit to millionths, rounded. Undefined if the text is not a number. */
export function toMicros(text: string): bigint | undefined {
  const [, sign, whole = '', fraction = ''] = decimal.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const exact = BigInt(whole + fraction.slice(0, 6).padEnd(6, '0'));
  const micros = exact + (Number(fraction[6] ?? 0) >= 5 ? 1n : 0n);
  return sign === '-' ? -micros : micros;
}

/** Number of decimal digits. */
export function decimalsOf(text: string): number {
  return decimal.exec(text)?.[3]?.length ?? 0;
}

/** Counts may have fractions if conversions are divided between ads. */
export function toNumber(text: string): number | undefined {
  return decimal.test(text) ? Number(text) : undefined;
}

export function toWhole(text: string): bigint | undefined {
  return /^-?\d{1,18}$/.test(text) ? BigInt(text) : undefined;
}
