import { cardConstants, paymentMethodConstants } from './constants.ts';
import { change, emit } from './events.ts';
import { newId } from './ids.ts';
import type { Customer, PaymentMethod, Subscription } from './objects.ts';
import type { StripeState } from './state.ts';

/** The test cards from Stripe's documentation that the pages offer. */
export const cards = {
  works: { last4: '4242', brand: 'visa', isRefusedAtOnce: false, isDeclined: false },
  declined: { last4: '0002', brand: 'visa', isRefusedAtOnce: true, isDeclined: true },
  later: { last4: '0341', brand: 'visa', isRefusedAtOnce: false, isDeclined: true },
} as const;
export type Card = keyof typeof cards;

/** Gives the customer a card, which is charged from now on. */
export function attachCard(
  state: StripeState,
  customer: Customer,
  card: Card,
  at: number,
  subscription?: Subscription,
): PaymentMethod {
  const { last4, brand } = cards[card];
  const details = { ...cardConstants, display_brand: brand, fingerprint: `sandbox${last4}` };
  const method: PaymentMethod = {
    ...paymentMethodConstants,
    id: newId('pm_'),
    object: 'payment_method',
    card: { ...details, brand, last4, exp_month: 12, exp_year: new Date(at * 1_000).getUTCFullYear() + 3 },
    created: at,
    customer: customer.id,
  };
  state.paymentMethods.set(method.id, method);
  emit(state, 'payment_method.attached', method, at);
  const previous = change(customer, {
    invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id },
  });
  emit(state, 'customer.updated', customer, at, previous ?? {});
  if (subscription) subscription.default_payment_method = method.id;
  return method;
}

/** The card that a subscription is charged to. */
export function cardOf(state: StripeState, customerId: string, subscription: Subscription | undefined): PaymentMethod | null {
  const fromCustomer = state.customers.get(customerId)?.invoice_settings.default_payment_method;
  const id = subscription?.default_payment_method ?? fromCustomer;
  return (id && state.paymentMethods.get(id)) || null;
}

export function isDeclined(method: PaymentMethod): boolean {
  return Object.values(cards).some((card) => card.last4 === method.card.last4 && card.isDeclined);
}
