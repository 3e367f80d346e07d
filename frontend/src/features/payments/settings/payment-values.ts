import type { Payment } from '~/api/types';
import { customerIdError } from '~/domain/payments/payment-state';
import { addDays } from '~/lib/dates';

/** The settings of a payment, as its forms edit them. */
export interface PaymentValues extends Pick<Payment, 'name' | 'customerIdType' | 'events' | 'amountMode' | 'historyFrom'> {
  destinationIds: string[];
}

export const valuesOf = ({ name, customerIdType, events, amountMode, historyFrom, destinations }: Payment): PaymentValues => ({
  ...{ name, customerIdType, events, amountMode, historyFrom },
  destinationIds: destinations.map(({ id }) => id).toSorted(),
});

/** Stripe was founded in 2010, and its days are in UTC. */
export const FIRST_DAY = '2010-01-01';
export const utcToday = (now: Date): string => now.toISOString().slice(0, 10);
export const startingHistory = (now: Date): string => addDays(utcToday(now), -90);

/** The first missing or invalid input, or null. */
export function paymentNeeds(
  { name, destinationIds, events, customerIdType, historyFrom }: PaymentValues,
  now: Date,
): string | null {
  if (name.trim() === '') return 'Enter a name';
  if (destinationIds.length === 0) return 'Select a destination';
  if (customerIdError(customerIdType) !== null) return 'Enter a metadata key';
  if (events.length === 0) return 'Select an event';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(historyFrom)) return 'Enter a start date';
  return historyFrom < FIRST_DAY || historyFrom > utcToday(now) ? 'Enter a start date between 2010 and today' : null;
}

/** Whether all days are read again after the change. */
export const isReloaded = (before: PaymentValues, after: PaymentValues): boolean =>
  before.customerIdType !== after.customerIdType ||
  before.amountMode !== after.amountMode ||
  JSON.stringify(before.events.toSorted()) !== JSON.stringify(after.events.toSorted());
