import { expect, test } from 'vitest';
import { formatPrice } from './price';

test('uses the decimals of the currency and omits zero decimals', () => {
  expect(formatPrice(29_000, 'eur')).toBe('€290');
  expect(formatPrice(1_950, 'USD')).toBe('$19.50');
  expect(formatPrice(3_000, 'jpy')).toBe('¥3,000');
  expect(formatPrice(0, 'usd')).toBe('$0');
});
