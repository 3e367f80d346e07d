import { toDate, type Clock } from '../clock.ts';
import { fraction, mix } from '../noise.ts';
import type { Provider } from '../provider.ts';

/** Average units per euro. */
const middles: Record<string, number> = { USD: 1.1, JPY: 160, GBP: 0.85, CHF: 0.95, SEK: 11.3, AUD: 1.65 };
const DAYS = 800;
const SATURDAY = 6;

/** Reference rates in the format of the European Central Bank. The numbers are invented. */
export const exchangeRates: Provider = {
  name: 'exchange-rates',
  title: 'Exchange rates',
  faults: {},
  open: ({ clock }) => ({
    routes: [
      {
        method: 'GET',
        path: /^\/exchange-rates\/eurofxref-hist\.csv$/,
        answer: ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/csv' });
          response.end(table(clock));
        },
      },
    ],
    description: '<p><code>/exchange-rates/eurofxref-hist.csv</code></p>',
  }),
};

function table(clock: Clock): string {
  const today = clock.today('UTC');
  const currencies = Object.keys(middles);
  const lines = Array.from({ length: DAYS }, (_, back) => today - 1 - back)
    .filter(isWorkday)
    .map((day) => [toDate(day), ...currencies.map((currency) => rateOf(currency, day))].join(','));
  return [`Date,${currencies.join(',')}`, ...lines, ''].join('\n');
}

/** 1970-01-01 was a Thursday. */
const isWorkday = (day: number): boolean => ![0, SATURDAY].includes((day + 4) % 7);

function rateOf(currency: string, day: number): string {
  const middle = middles[currency] ?? 1;
  return (middle * (0.97 + 0.06 * fraction(mix(currency.charCodeAt(0), day)))).toFixed(4);
}
