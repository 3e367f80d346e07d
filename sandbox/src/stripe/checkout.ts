import { cards, type Card } from './cards.ts';
import { checkoutConstants, customerDetailsConstants } from './constants.ts';
import { createCustomer, requireCustomer } from './customers.ts';
import { declined, invalid, missing } from './errors.ts';
import { emit } from './events.ts';
import { newId } from './ids.ts';
import { listPage, listParameters } from './lists.ts';
import type { CheckoutSession, Price } from './objects.ts';
import type { Call, Operation } from './operation.ts';
import type { StripeState } from './state.ts';
import { subscribe } from './subscribe.ts';
import { readItem, readMissingPaymentMethod, readTrialDays } from './subscriptions.ts';

const sessionSeconds = 86_400;

export const checkoutOperations: Operation[] = [
  {
    method: 'POST',
    path: '/v1/checkout/sessions',
    parameters: [
      ...['mode', 'customer', 'customer_email', 'line_items', 'success_url', 'cancel_url', 'client_reference_id', 'metadata'],
      ...['subscription_data', 'allow_promotion_codes', 'automatic_tax', 'expires_at', 'locale', 'ui_mode', 'customer_update'],
      ...['payment_method_collection', 'billing_address_collection', 'tax_id_collection', 'allowed_payment_method_types'],
    ],
    answer: create,
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    parameters: [...listParameters, 'customer', 'subscription', 'status'],
    answer: list,
  },
  { method: 'GET', path: '/v1/checkout/sessions/:id', parameters: [], answer: ({ state, id }) => find(state, id) },
  { method: 'POST', path: '/v1/checkout/sessions/:id/expire', parameters: [], answer: expire },
];

export function expireSession(state: StripeState, session: CheckoutSession, at: number): void {
  session.status = 'expired';
  session.url = null;
  emit(state, 'checkout.session.expired', session, at);
}

/** The order of a session. */
export function priceOf(state: StripeState, session: CheckoutSession): Price {
  const price = state.prices.get(state.orders.get(session.id)?.priceId ?? '');
  if (!price) throw new Error(`The session ${session.id} has no price`);
  return price;
}

/** Payment on the hosted page: creates customer, card, subscription and first invoice, then completes the session. */
export function completeSession(state: StripeState, session: CheckoutSession, card: Card, email: string): void {
  if (cards[card].isRefusedAtOnce) throw declined();
  const order = state.orders.get(session.id);
  const price = priceOf(state, session);
  if (!order) throw new Error(`The session ${session.id} has no order`);
  if (!order.trialDays && cards[card].isDeclined) throw declined();
  const customer = state.customers.get(session.customer ?? '') ?? createCustomer(state, { email });
  const at = state.now(customer.id);
  const { quantity, trialDays, missingPaymentMethod, metadata } = order;
  const request = { customer, price, quantity, trialDays, missingPaymentMethod, metadata, card, isChargedNow: true };
  const subscription = subscribe(state, request, at);
  Object.assign(session, {
    ...{ status: 'complete', url: null, customer: customer.id, subscription: subscription.id },
    payment_status: trialDays ? 'no_payment_required' : 'paid',
    invoice: subscription.latest_invoice,
    customer_details: { ...session.customer_details, email: customer.email ?? email, name: customer.name },
  } satisfies Partial<CheckoutSession>);
  emit(state, 'checkout.session.completed', session, at);
}

function find(state: StripeState, id: string): CheckoutSession {
  const session = state.sessions.get(id);
  if (!session) throw missing('checkout.session', id);
  return session;
}

function create({ state, fields, origin }: Call): CheckoutSession {
  if (fields.requiredText('mode') !== 'subscription') throw invalid('The sandbox sells subscriptions only.', 'mode');
  const customer = fields.has('customer') ? requireCustomer(state, fields) : null;
  const { priceId, quantity } = readItem(state, fields, 'line_items');
  const price = state.prices.get(priceId);
  if (!price) throw missing('price', priceId, 'line_items[0][price]');
  const success_url = fields.address('success_url') ?? fields.requiredText('success_url');
  const at = state.now(customer?.id);
  const id = newId('cs_test_', 58);
  const trialDays = readTrialDays(fields.object('subscription_data'));
  const amount = trialDays ? 0 : price.unit_amount * quantity;
  const email = customer?.email ?? fields.nullableText('customer_email', null);
  const session: CheckoutSession = {
    ...checkoutConstants,
    ...{ allow_promotion_codes: fields.flag('allow_promotion_codes') ?? null, amount_subtotal: amount, amount_total: amount },
    id,
    object: 'checkout.session',
    cancel_url: fields.address('cancel_url') ?? null,
    client_reference_id: fields.nullableText('client_reference_id', null),
    created: at,
    currency: price.currency,
    customer: customer?.id ?? null,
    customer_details: email ? { ...customerDetailsConstants, email, name: null } : null,
    customer_email: fields.nullableText('customer_email', null),
    expires_at: fields.integer('expires_at', at + 1_800, at + sessionSeconds) ?? at + sessionSeconds,
    invoice: null,
    metadata: fields.metadata(),
    mode: 'subscription',
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url,
    url: `${origin}/stripe/checkout/${id}`,
  };
  state.sessions.set(id, session);
  state.orders.set(id, { priceId, quantity, trialDays, ...readSubscriptionData({ fields }) });
  return session;
}

function readSubscriptionData({ fields }: Pick<Call, 'fields'>): {
  missingPaymentMethod: string;
  metadata: Record<string, string>;
} {
  const data = fields.object('subscription_data');
  data?.refuseOthersThan(['metadata', 'trial_period_days', 'trial_settings', 'description']);
  return { missingPaymentMethod: readMissingPaymentMethod(data), metadata: data?.metadata() ?? {} };
}

function list({ state, fields }: Call): object {
  const names = ['customer', 'subscription', 'status'] as const;
  const found = [...state.sessions.values()].filter((session) =>
    names.every((name) => !fields.has(name) || session[name] === fields.text(name)),
  );
  return listPage(fields, '/v1/checkout/sessions', found);
}

function expire({ state, id }: Call): CheckoutSession {
  const session = find(state, id);
  if (session.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    );
  expireSession(state, session, state.now(session.customer));
  return session;
}
