import { expect, test } from 'vitest';
import { isReloaded, paymentNeeds, startingHistory } from './payment-values';
import type { PaymentValues } from './payment-values';

const now = new Date('2026-11-20T23:30:00Z');
const values: PaymentValues = {
  ...{ name: 'Shop', destinationIds: ['d'], customerIdType: 'email', events: ['payment_received'], amountMode: 'gross' },
  historyFrom: '2026-11-01',
};

test.each<[Partial<PaymentValues>, string | null]>([
  [{ name: ' ' }, 'Enter a name'],
  [{ destinationIds: [] }, 'Select a destination'],
  [{ customerIdType: 'metadata:' }, 'Enter a metadata key'],
  [{ events: [] }, 'Select an event'],
  [{ historyFrom: '' }, 'Enter a start date'],
  [{ historyFrom: '2026-11-21' }, 'Enter a start date between 2010 and today'],
  [{ historyFrom: '2009-12-31' }, 'Enter a start date between 2010 and today'],
  [{}, null],
])('%j needs: %s', (part, missing) => expect(paymentNeeds({ ...values, ...part }, now)).toBe(missing));

test('days are those of UTC, as at Stripe', () => expect(startingHistory(now)).toBe('2026-08-22'));

test('only what changes rows loads all days again', () => {
  expect(isReloaded(values, { ...values, name: 'Other', historyFrom: '2026-10-01', destinationIds: [] })).toBe(false);
  expect(isReloaded(values, { ...values, amountMode: 'net' })).toBe(true);
  expect(isReloaded(values, { ...values, customerIdType: 'stripe_id' })).toBe(true);
  expect(isReloaded(values, { ...values, events: ['payment_received', 'payment_failed'] })).toBe(true);
});
