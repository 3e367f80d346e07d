import { expect, test } from 'vitest';
import { formatPrice } from './price';

test('an amount has the decimals of its currency, and none when they are zero', () => {
  expect(formatPrice(29_000, 'eur')).toBe('€290');
  expect(formatPrice(1_950, 'USD')).toBe('$19.50');
  expect(formatPrice(3_000, 'jpy')).toBe('¥3,000');
  expect(formatPrice(0, 'usd')).toBe('$0');
});
