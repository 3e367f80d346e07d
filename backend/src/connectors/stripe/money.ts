/** Currencies whose API amounts have no decimals, or three. https://docs.stripe.com/currencies */
const zeroDecimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const threeDecimal = new Set('bhd jod kwd omr tnd'.split(' '));

/**
 * Decimals of an amount in Stripe's API. UGX is on Stripe's list of currencies without decimals and, like ISK, still sent with two
 * decimals that are always 00.
 */
export function decimalsOf(currency: string): 0 | 2 | 3 {
  const code = currency.toLowerCase();
  if (zeroDecimal.has(code)) return 0;
  return threeDecimal.has(code) ? 3 : 2;
}

/** Millionths of a currency in one of Stripe's smallest units of it. */
const microsOfUnit = (currency: string): bigint => 10n ** BigInt(6 - decimalsOf(currency));

export const toMicros = (minor: bigint, currency: string): bigint => minor * microsOfUnit(currency);

/** Micros that were made from smallest units have no rest. */
export const toMinor = (micros: bigint, currency: string): bigint => micros / microsOfUnit(currency);
