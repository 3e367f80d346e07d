/** Amounts are whole numbers of units with no decimals. Source: docs.stripe.com/currencies. */
const zeroDecimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const threeDecimal = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);
/** Currencies without a smaller unit whose amounts have two decimals in the API, always 00. */
const wholeUnits = new Set(['isk', 'ugx']);

/** How many decimals an amount of the API has. */
export function decimalsOf(currency: string): number {
  if (zeroDecimal.has(currency)) return 0;
  return threeDecimal.has(currency) ? 3 : 2;
}

/** Amounts of the API are multiples of this number: 5 UGX are 500, and 1.230 KWD are 1230. */
export function stepOf(currency: string): number {
  if (wholeUnits.has(currency)) return 100;
  return threeDecimal.has(currency) ? 10 : 1;
}

/** An amount in another currency. `rate` converts amounts of the API, as `exchange_rate` does at Stripe. */
export function convert(amount: number, rate: number | null, currency: string): number {
  return rate === null ? amount : roundTo(amount * rate, currency);
}

export function roundTo(amount: number, currency: string): number {
  const step = stepOf(currency);
  return Math.round(amount / step) * step;
}
