import { expect, test } from 'vitest';
import { deliveryPollMs } from './delivery-polling';

const refused = 'The receiver refused the connection.';

test('a delivery is read again soon until its first attempt has a result', () =>
  expect(
    deliveryPollMs([
      { state: 'queued', lastError: refused },
      { state: 'queued', lastError: null },
    ]),
  ).toBe(2_000));

test('a delivery that waits for a further attempt is read again less often', () =>
  expect(deliveryPollMs([{ state: 'queued', lastError: refused }])).toBe(15_000));

test('deliveries that have ended are not read again', () => {
  expect(deliveryPollMs([])).toBe(0);
  expect(
    deliveryPollMs([
      { state: 'delivered', lastError: null },
      { state: 'failed', lastError: refused },
    ]),
  ).toBe(0);
});
