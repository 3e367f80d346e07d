import { endpointConstants } from './constants.ts';
import { invalid, missing } from './errors.ts';
import { newId } from './ids.ts';
import { listPage, listParameters } from './lists.ts';
import { apiVersion, type WebhookEndpoint } from './objects.ts';
import type { Call, Operation } from './operation.ts';
import type { StripeState } from './state.ts';

export const webhookOperations: Operation[] = [
  {
    method: 'POST',
    path: '/v1/webhook_endpoints',
    parameters: ['url', 'enabled_events', 'api_version', 'description', 'metadata', 'connect'],
    answer: create,
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints',
    parameters: listParameters,
    answer: ({ state, fields }) => listPage(fields, '/v1/webhook_endpoints', [...state.endpoints.values()]),
  },
  { method: 'GET', path: '/v1/webhook_endpoints/:id', parameters: [], answer: ({ state, id }) => find(state, id) },
  {
    method: 'POST',
    path: '/v1/webhook_endpoints/:id',
    parameters: ['url', 'enabled_events', 'disabled', 'description', 'metadata'],
    answer: update,
  },
  { method: 'DELETE', path: '/v1/webhook_endpoints/:id', parameters: [], answer: remove },
  {
    method: 'GET',
    path: '/v1/events',
    parameters: [...listParameters, 'type', 'types', 'delivery_success'],
    answer: listEvents,
  },
  {
    method: 'GET',
    path: '/v1/events/:id',
    parameters: [],
    answer: ({ state, id }) => {
      const event = state.events.get(id);
      if (!event) throw missing('event', id);
      return event;
    },
  },
];

/** Registers where webhooks go; the secret is chosen by Stripe unless a test brings its own. */
export function addEndpoint(
  state: StripeState,
  url: string,
  enabledEvents: string[],
  changes: Partial<WebhookEndpoint> = {},
  secret = newId('whsec_', 32),
): WebhookEndpoint {
  const endpoint: WebhookEndpoint = {
    ...endpointConstants,
    id: newId('we_'),
    object: 'webhook_endpoint',
    api_version: null,
    created: state.now(),
    description: null,
    enabled_events: enabledEvents,
    metadata: {},
    status: 'enabled',
    url,
    ...changes,
  };
  state.endpoints.set(endpoint.id, endpoint);
  state.secrets.set(endpoint.id, secret);
  return endpoint;
}

function find(state: StripeState, id: string): WebhookEndpoint {
  const endpoint = state.endpoints.get(id);
  if (!endpoint) throw missing('webhook endpoint', id);
  return endpoint;
}

/** Only this answer ever tells the secret. */
function create({ state, fields }: Call): object {
  const url = fields.address('url') ?? fields.requiredText('url');
  const enabledEvents = fields.texts('enabled_events');
  if (enabledEvents.length === 0) throw invalid('Missing required param: enabled_events.', 'enabled_events', 'parameter_missing');
  const api_version = fields.nullableText('api_version', null);
  if (api_version !== null && api_version !== apiVersion)
    throw invalid(`The sandbox writes events of ${apiVersion} only.`, 'api_version');
  const more = { api_version, description: fields.nullableText('description', null), metadata: fields.metadata() };
  const endpoint = addEndpoint(state, url, enabledEvents, more);
  return { ...endpoint, secret: state.secrets.get(endpoint.id) };
}

function update({ state, fields, id }: Call): WebhookEndpoint {
  const endpoint = find(state, id);
  const enabledEvents = fields.texts('enabled_events');
  const isDisabled = fields.flag('disabled');
  return Object.assign(endpoint, {
    url: fields.address('url') ?? endpoint.url,
    enabled_events: enabledEvents.length > 0 ? enabledEvents : endpoint.enabled_events,
    description: fields.nullableText('description', endpoint.description),
    metadata: fields.metadata(endpoint.metadata),
    ...(isDisabled !== undefined && { status: isDisabled ? 'disabled' : 'enabled' }),
  } satisfies Partial<WebhookEndpoint>);
}

function remove({ state, id }: Call): object {
  find(state, id);
  state.endpoints.delete(id);
  state.secrets.delete(id);
  return { id, object: 'webhook_endpoint', deleted: true };
}

function listEvents({ state, fields }: Call): object {
  const type = fields.text('type');
  const types = type === undefined ? fields.texts('types') : [type];
  const isAsked = (eventType: string): boolean =>
    types.length === 0 ||
    types.some((name) => name === eventType || (name.endsWith('*') && eventType.startsWith(name.slice(0, -1))));
  const events = [...state.events.values()].filter((event) => isAsked(event.type));
  return listPage(fields, '/v1/events', events);
}
