import { cancelNow, changeSubscription, endTrial, resume } from './billing.ts';
import { cardOf, isDeclined } from './cards.ts';
import { requireCustomer } from './customers.ts';
import { declined, invalid, missing } from './errors.ts';
import type { Fields } from './fields.ts';
import { itemOf } from './invoices.ts';
import { listPage, listParameters } from './lists.ts';
import { subscriptionStatuses, type Subscription } from './objects.ts';
import type { Call, Operation } from './operation.ts';
import type { StripeState } from './state.ts';
import { subscribe } from './subscribe.ts';

const paymentBehaviors = ['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'] as const;
export const missingPaymentMethods = ['create_invoice', 'cancel', 'pause'] as const;

export const subscriptionOperations: Operation[] = [
  {
    method: 'POST',
    path: '/v1/subscriptions',
    parameters: [
      ...['customer', 'items', 'metadata', 'trial_period_days', 'trial_settings', 'payment_behavior'],
      ...['default_payment_method', 'off_session', 'collection_method', 'automatic_tax'],
    ],
    answer: create,
  },
  {
    method: 'GET',
    path: '/v1/subscriptions',
    parameters: [...listParameters, 'customer', 'status', 'price'],
    answer: list,
  },
  { method: 'GET', path: '/v1/subscriptions/:id', parameters: [], answer: ({ state, id }) => find(state, id) },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id',
    parameters: [
      ...['cancel_at_period_end', 'cancel_at', 'metadata', 'trial_end', 'default_payment_method'],
      ...['cancellation_details', 'proration_behavior'],
    ],
    answer: update,
  },
  {
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    parameters: ['invoice_now', 'prorate', 'cancellation_details'],
    answer: cancel,
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id/resume',
    parameters: ['billing_cycle_anchor', 'proration_behavior'],
    answer: ({ state, id }) => {
      const subscription = find(state, id);
      resume(state, subscription, state.now(subscription.customer));
      return subscription;
    },
  },
];

export function find(state: StripeState, id: string): Subscription {
  const subscription = state.subscriptions.get(id);
  if (!subscription) throw missing('subscription', id);
  return subscription;
}

/**
 * Schedules the end with the current period, or reverts that. Since clover (2025-09-30) subscriptions have flexible billing, and
 * the portal sets only `cancel_at`, while `cancel_at_period_end` stays false. A change of the latter by the API sets both.
 */
export function setCancelAtPeriodEnd(
  state: StripeState,
  subscription: Subscription,
  isCanceled: boolean,
  at: number,
  asked: 'by the API' | 'in the portal' = 'by the API',
): void {
  const changes: Partial<Subscription> = isCanceled
    ? {
        cancel_at_period_end: asked === 'by the API',
        cancel_at: itemOf(subscription).current_period_end,
        canceled_at: at,
        cancellation_details: { ...subscription.cancellation_details, reason: 'cancellation_requested' },
      }
    : {
        cancel_at_period_end: false,
        cancel_at: null,
        canceled_at: null,
        cancellation_details: { ...subscription.cancellation_details, reason: null },
      };
  changeSubscription(state, subscription, changes, at);
}

export function readTrialDays(fields: Fields | undefined): number | null {
  return fields?.integer('trial_period_days', 1, 730) ?? null;
}

export function readMissingPaymentMethod(fields: Fields | undefined): string {
  const behavior = fields?.object('trial_settings')?.object('end_behavior');
  return behavior?.choice('missing_payment_method', missingPaymentMethods) ?? 'create_invoice';
}

/** The single price of `items` or `line_items`. */
export function readItem(state: StripeState, fields: Fields, name: string): { priceId: string; quantity: number } {
  const [first, ...others] = fields.objects(name);
  if (!first) throw invalid(`Missing required param: ${name}.`, name, 'parameter_missing');
  if (others.length > 0) throw invalid('The sandbox sells one price at a time.', name);
  const priceId = first.requiredText('price');
  if (!state.prices.has(priceId)) throw missing('price', priceId, first.path('price'));
  return { priceId, quantity: first.integer('quantity', 1) ?? 1 };
}

function create({ state, fields }: Call): Subscription {
  const customer = requireCustomer(state, fields);
  const { priceId, quantity } = readItem(state, fields, 'items');
  const price = state.prices.get(priceId);
  if (!price) throw missing('price', priceId, 'items[0][price]');
  const trialDays = readTrialDays(fields);
  const behavior = fields.choice('payment_behavior', paymentBehaviors) ?? 'allow_incomplete';
  const card = cardOf(state, customer.id, undefined);
  if (!trialDays && behavior === 'error_if_incomplete' && (!card || isDeclined(card))) throw declined();
  if (!trialDays && !card && behavior !== 'default_incomplete')
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      undefined,
      'resource_missing',
    );
  return subscribe(
    state,
    {
      ...{ customer, price, quantity, trialDays },
      missingPaymentMethod: readMissingPaymentMethod(fields),
      metadata: fields.metadata(),
      defaultPaymentMethod: fields.nullableText('default_payment_method', null),
      isChargedNow: behavior !== 'default_incomplete',
    },
    state.now(customer.id),
  );
}

/** Without `status`, ended ones are excluded, as at Stripe; `ended` is canceled and incomplete_expired. */
function list({ state, fields }: Call): object {
  const status = fields.choice('status', ['all', 'ended', ...subscriptionStatuses]);
  const customer = fields.text('customer');
  const hasEnded = (subscription: Subscription): boolean => ['canceled', 'incomplete_expired'].includes(subscription.status);
  const found = [...state.subscriptions.values()].filter((subscription) => {
    if (customer !== undefined && subscription.customer !== customer) return false;
    if (status === 'all') return true;
    if (status === 'ended') return hasEnded(subscription);
    return status === undefined ? subscription.status !== 'canceled' : subscription.status === status;
  });
  return listPage(fields, '/v1/subscriptions', found);
}

function update({ state, fields, id }: Call): Subscription {
  const subscription = find(state, id);
  if (subscription.ended_at !== null)
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  const at = state.now(subscription.customer);
  const isCanceled = fields.flag('cancel_at_period_end');
  if (isCanceled !== undefined) setCancelAtPeriodEnd(state, subscription, isCanceled, at);
  const changes: Partial<Subscription> = {};
  if (fields.has('metadata')) changes.metadata = fields.metadata(subscription.metadata);
  if (fields.has('cancel_at')) changes.cancel_at = fields.text('cancel_at') === '' ? null : (fields.integer('cancel_at') ?? null);
  if (fields.has('default_payment_method')) changes.default_payment_method = fields.nullableText('default_payment_method', null);
  changeSubscription(state, subscription, changes, at);
  if (fields.has('trial_end')) moveTrialEnd(state, subscription, fields, at);
  return subscription;
}

function moveTrialEnd(state: StripeState, subscription: Subscription, fields: Fields, at: number): void {
  if (subscription.status !== 'trialing') throw invalid('The sandbox moves the end of a running trial only.', 'trial_end');
  if (fields.text('trial_end') === 'now') {
    changeSubscription(state, subscription, { trial_end: at }, at);
    return endTrial(state, subscription, at);
  }
  const trial_end = fields.integer('trial_end', at + 1) ?? at;
  const items = { ...subscription.items, data: [{ ...itemOf(subscription), current_period_end: trial_end }] };
  state.notesOf(subscription.id).isTrialEndAnnounced = false;
  changeSubscription(state, subscription, { trial_end, items, billing_cycle_anchor: trial_end }, at);
}

function cancel({ state, id }: Call): Subscription {
  const subscription = find(state, id);
  if (subscription.ended_at !== null) throw missing('subscription', id);
  cancelNow(state, subscription, state.now(subscription.customer), 'cancellation_requested');
  return subscription;
}
