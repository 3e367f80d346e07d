/** Amounts as whole trillionths. Sums and differences are exact, unlike with binary fractions. */
export type Decimal = bigint;

const DIGITS = 12;

/** Parses a number with or without an exponent. Digits beyond a trillionth are truncated. NaN and infinity give 0. */
export function parseDecimal(text: string): Decimal {
  const match = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  if (!match) return 0n;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = DIGITS - fraction.length + Number(exponent);
  const magnitude = BigInt(`${whole}${fraction}` || '0');
  const scaled = digits >= 0 ? magnitude * 10n ** BigInt(digits) : magnitude / 10n ** BigInt(-digits);
  return sign === '-' ? -scaled : scaled;
}

export function formatDecimal(value: Decimal): string {
  const text = String(value < 0n ? -value : value).padStart(DIGITS + 1, '0');
  const fraction = text.slice(-DIGITS).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${text.slice(0, -DIGITS)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** As a number, the type that Mixpanel stores. */
export function toNumber(value: Decimal): number {
  return Number(formatDecimal(value));
}

export function fromNumber(value: number): Decimal {
  return parseDecimal(String(value));
}

/** Millionths, the unit of cost: 1.23 gives 1,230,000. */
export function toMicros(value: Decimal): bigint {
  return value / 10n ** BigInt(DIGITS - 6);
}

export function fromMicros(micros: bigint): Decimal {
  return micros * 10n ** BigInt(DIGITS - 6);
}

export function toWhole(value: Decimal): bigint {
  return value / 10n ** BigInt(DIGITS);
}
