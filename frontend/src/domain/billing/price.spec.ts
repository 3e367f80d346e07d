import { expect, test } from 'vitest';
import { formatPlanPrice } from './price';

const price = (amountMinor: number | null, currency: string, decimals: number, intervalCount = 1) =>
  formatPlanPrice({ amountMinor, currency, decimals, interval: 'month', intervalCount });

test('uses the decimals of Stripe’s unit, also where they differ from the currency’s, and omits zero decimals', () => {
  expect(price(29_000, 'eur', 2)?.amount).toBe('€290');
  expect(price(1_950, 'USD', 2)?.amount).toBe('$19.50');
  expect(price(3_000, 'jpy', 0)?.amount).toBe('¥3,000');
  expect(price(0, 'usd', 2)?.amount).toBe('$0');
  expect(price(490_000, 'ISK', 2)?.amount.replaceAll(/\s/g, ' ')).toBe('ISK 4,900');
  expect(price(5_000_000, 'UGX', 2)?.amount.replaceAll(/\s/g, ' ')).toBe('UGX 50,000');
});

test('names the period of several intervals', () => {
  expect(price(29_000, 'eur', 2)?.period).toBe('per month');
  expect(price(29_000, 'eur', 2, 3)?.period).toBe('per 3 months');
});

test('a price without one amount, such as tiers, is not shown as free', () => expect(price(null, 'eur', 2)).toBeNull());
