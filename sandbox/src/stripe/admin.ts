import { InvalidFault } from '../faults.ts';
import { readJsonObject, refusing } from '../parameters.ts';
import { sendJson, type Exchange, type Route } from '../router.ts';
import { age } from './aging.ts';
import { daySeconds } from './calendar.ts';
import type { Deliveries } from './deliveries.ts';
import { forceStatus } from './force.ts';
import { subscriptionStatuses } from './objects.ts';
import { defaultSettings, type Settings } from './settings.ts';
import type { StripeState } from './state.ts';
import { passTime } from './time.ts';
import { addEndpoint } from './webhooks.ts';

type Answer = (exchange: Exchange) => void;

/** Test operations for which Stripe has no call. */
export function stripeAdminRoutes(state: StripeState, deliveries: Deliveries): Route[] {
  const post = (path: string, answer: Answer): Route => ({
    method: 'POST',
    path: new RegExp(`^/admin/stripe/${path}$`),
    answer: refusing((exchange) => {
      answer(exchange);
      state.changed();
    }),
  });
  return [
    {
      method: 'GET',
      path: /^\/admin\/stripe\/state$/,
      answer: refusing((exchange) =>
        sendJson(exchange.response, 200, describe(state, exchange.url.searchParams.get('customerId'))),
      ),
    },
    post('advance', (exchange) => advance(state, exchange)),
    post('settings', (exchange) => changeSettings(state, exchange)),
    post('deliver', (exchange) => deliver(state, deliveries, exchange)),
    post('webhook-endpoints', (exchange) => registerEndpoint(state, exchange)),
    post('subscriptions/(?<id>[^/]+)', (exchange) => force(state, exchange)),
  ];
}

function describe(state: StripeState, customerId: string | null): Record<string, unknown> {
  passTime(state);
  const own = <T extends { id: string }>(kept: Map<string, T>, customerOf: (object: T) => unknown): T[] =>
    [...kept.values()].filter((object) => customerId === null || customerOf(object) === customerId);
  const events = own(state.events, ({ data }) => (data.object.object === 'customer' ? data.object.id : data.object.customer));
  const eventIds = new Set(events.map((event) => event.id));
  return {
    now: new Date(state.now(customerId) * 1_000).toISOString(),
    settings: state.settings,
    customers: own(state.customers, ({ id }) => id),
    deletedCustomers: [...state.deletedCustomers],
    subscriptions: own(state.subscriptions, ({ customer }) => customer),
    invoices: own(state.invoices, ({ customer }) => customer),
    checkoutSessions: own(state.sessions, ({ customer }) => customer),
    events,
    webhookEndpoints: [...state.endpoints.values()],
    deliveries: [...state.deliveries.values()].filter(({ eventId }) => customerId === null || eventIds.has(eventId)),
  };
}

function advance(state: StripeState, { response, body }: Exchange): void {
  const { days, customerId, isAging } = readJsonObject(body);
  if (typeof days !== 'number' || !(days > 0) || days > 1_000) throw new InvalidFault('days must be a number from 0 to 1000');
  if (customerId !== undefined && !state.customers.has(String(customerId)))
    throw new InvalidFault(`No customer ${String(customerId)}`);
  if (isAging === true && customerId === undefined) throw new InvalidFault('isAging needs a customerId');
  const before = state.events.size;
  passTime(state);
  state.advance(days, customerId === undefined ? undefined : String(customerId));
  passTime(state);
  if (isAging === true) age(state, String(customerId), Math.round(days * daySeconds));
  const events = [...state.events.values()].slice(before).map(({ id, type, created }) => ({ id, type, created }));
  sendJson(response, 200, { now: new Date(state.now(customerId as string | undefined) * 1_000).toISOString(), events });
}

function changeSettings(state: StripeState, { response, body }: Exchange): void {
  const changes = readJsonObject(body);
  for (const [name, value] of Object.entries(changes)) {
    const example: unknown = Object.entries(defaultSettings).find(([known]) => known === name)?.[1];
    const isListOfNumbers = Array.isArray(value) && value.every((item) => typeof item === 'number');
    const isGood = Array.isArray(example) ? isListOfNumbers : example !== undefined && typeof value === typeof example;
    if (!isGood) throw new InvalidFault(`${name} is no setting, or not of that type`, { known: defaultSettings });
  }
  if (changes.afterDunning !== undefined && !['canceled', 'unpaid', 'past_due'].includes(String(changes.afterDunning)))
    throw new InvalidFault('afterDunning must be canceled, unpaid or past_due');
  state.settings = { ...state.settings, ...(changes as Partial<Settings>) };
  sendJson(response, 200, state.settings);
}

function deliver(state: StripeState, deliveries: Deliveries, { response, body }: Exchange): void {
  const { eventId } = readJsonObject(body);
  const event = state.events.get(String(eventId));
  if (!event) throw new InvalidFault(`No event ${String(eventId)}`);
  sendJson(response, 202, { deliveries: deliveries.redeliver(event) });
}

/** Registers an address with a secret chosen by the caller. The same address again replaces its secret. */
function registerEndpoint(state: StripeState, { response, body }: Exchange): void {
  const { url, secret, enabledEvents = ['*'] } = readJsonObject(body);
  if (typeof url !== 'string' || !URL.canParse(url)) throw new InvalidFault('url must be an address');
  if (typeof secret !== 'string' || secret === '') throw new InvalidFault('secret must be a text');
  const known = [...state.endpoints.values()].find((endpoint) => endpoint.url === url);
  const events = Array.isArray(enabledEvents) ? enabledEvents.map(String) : ['*'];
  const endpoint = known ?? addEndpoint(state, url, events);
  endpoint.enabled_events = events;
  state.secrets.set(endpoint.id, secret);
  sendJson(response, 200, endpoint);
}

function force(state: StripeState, { response, body, params }: Exchange): void {
  const subscription = state.subscriptions.get(params.id ?? '');
  if (!subscription) throw new InvalidFault(`No subscription ${params.id ?? ''}`);
  const { status } = readJsonObject(body);
  const known = subscriptionStatuses.find((name) => name === status);
  if (!known) throw new InvalidFault(`status must be one of ${subscriptionStatuses.join(', ')}`);
  passTime(state);
  forceStatus(state, subscription, known, state.now(subscription.customer));
  sendJson(response, 200, subscription);
}
