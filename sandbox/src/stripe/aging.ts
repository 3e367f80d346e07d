import type { StripeState } from './state.ts';

/** Names of fields with a time in Unix seconds, in objects and in the sandbox's own state. */
const moments = new Set([
  ...['created', 'billing_cycle_anchor', 'cancel_at', 'canceled_at', 'ended_at', 'start_date', 'trial_end', 'trial_start'],
  ...['current_period_start', 'current_period_end', 'period_start', 'period_end', 'next_payment_attempt', 'effective_at'],
  ...['finalized_at', 'paid_at', 'voided_at', 'marked_uncollectible_at', 'expires_at', 'firstFailedAt', 'start', 'end'],
]);
/** These belong to no customer and keep their times. */
const common = new Set(['product', 'price', 'plan']);

/** Makes everything of a customer older by this many seconds, including events, and subtracts it from the customer's time. */
export function age(state: StripeState, customerId: string, seconds: number): void {
  const isOwn = (object: { customer?: unknown }): boolean => object.customer === customerId;
  const subscriptions = [...state.subscriptions.values()].filter(isOwn);
  const events = [...state.events.values()].filter(
    ({ data }) => data.object.customer === customerId || data.object.id === customerId,
  );
  const objects: unknown[] = [
    state.customers.get(customerId),
    ...subscriptions,
    ...subscriptions.map(({ id }) => state.notesOf(id)),
    ...[state.invoices, state.sessions, state.portalSessions, state.paymentMethods].flatMap((kept) =>
      [...kept.values()].filter(isOwn),
    ),
    ...events,
  ];
  for (const object of objects) shift(object, seconds);
  state.customerOffsets.set(customerId, (state.customerOffsets.get(customerId) ?? 0) - seconds);
}

function shift(value: unknown, seconds: number): void {
  if (typeof value !== 'object' || value === null) return;
  if ('object' in value && common.has(String(value.object))) return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'number' && moments.has(name)) Object.assign(value, { [name]: inner - seconds });
    else shift(inner, seconds);
  }
}
