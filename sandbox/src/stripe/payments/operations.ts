import { invalid, missing } from '../errors.ts';
import type { ExpandableObjects } from '../expand.ts';
import type { Fields } from '../fields.ts';
import { isWithin } from '../lists.ts';
import type { StripeEvent, WebhookEndpoint } from '../objects.ts';
import { readEndpoint, readEventFilter } from '../webhooks.ts';
import type { PaymentAccount } from './account.ts';
import type { PaymentAccounts } from './accounts.ts';
import { accountSettingsConstants } from './constants.ts';
import { listParameters, listRows, matches, resources, type Resource } from './resources.ts';
import { Table, type Row } from './table.ts';

export interface PaymentCall {
  accounts: PaymentAccounts;
  account: PaymentAccount;
  fields: Fields;
  /** The `:id` of the path. */
  id: string;
}

export interface PaymentOperation {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  right: string;
  parameters: readonly string[];
  answer(call: PaymentCall): object;
}

const eventSeconds = 30 * 86_400;
const endpointLimit = 16;

export const paymentOperations: PaymentOperation[] = [
  ...resources.flatMap(operationsOf),
  { method: 'GET', path: '/v1/account', right: 'rak_accounts_kyc_basic_read', parameters: [], answer: describeAccount },
  {
    ...{ method: 'GET', path: '/v1/events', right: 'rak_event_read', answer: listEvents },
    parameters: [...listParameters, 'created', 'type', 'types', 'delivery_success'],
  },
  { method: 'GET', path: '/v1/events/:id', right: 'rak_event_read', parameters: [], answer: findEvent },
  {
    ...{ method: 'POST', path: '/v1/webhook_endpoints', right: 'rak_webhook_write', answer: createEndpoint },
    parameters: ['url', 'enabled_events', 'api_version', 'description', 'metadata'],
  },
  {
    ...{ method: 'GET', path: '/v1/webhook_endpoints', right: 'rak_webhook_read', parameters: listParameters },
    answer: listEndpoints,
  },
  {
    ...{ method: 'GET', path: '/v1/webhook_endpoints/:id', right: 'rak_webhook_read', parameters: [] },
    answer: ({ account, id }) => findEndpoint(account, id),
  },
  { method: 'DELETE', path: '/v1/webhook_endpoints/:id', right: 'rak_webhook_write', parameters: [], answer: removeEndpoint },
];

/** Objects of an account for `expand[]`, and the lists that Stripe includes only on request. */
export function objectsOf(account: PaymentAccount): ExpandableObjects {
  const tables = resources.map(({ table }) => table(account));
  return {
    find: (id) => account.discounts.get(id) ?? tables.map((table) => table.get(id)).find((row) => row !== undefined),
    include: (holder, name) => {
      const id = String(holder.id);
      if (holder.object === 'charge' && name === 'refunds')
        return innerList(account.refunds.rows, ({ charge }) => charge === id, `/v1/charges/${id}/refunds`);
      if (holder.object === 'invoice' && name === 'payments')
        return innerList(account.invoicePayments.rows, ({ invoice }) => invoice === id, `/v1/invoice_payments`);
      // Only coupons that are limited to products have it; the sandbox has none.
      if (holder.object === 'coupon' && name === 'applies_to') return null;
      return name in holder ? null : undefined;
    },
  };
}

function innerList<T>(rows: readonly T[], isIncluded: (row: T) => boolean, url: string): object {
  return { object: 'list', data: structuredClone(rows.filter(isIncluded)).reverse(), has_more: false, url };
}

function operationsOf(resource: Resource): PaymentOperation[] {
  const { path, kind, right, filters, extraFilters = [], table } = resource;
  return [
    {
      ...{ method: 'GET', path: `/v1/${path}`, right, parameters: [...listParameters, 'created', ...filters, ...extraFilters] },
      answer: ({ account, fields }) =>
        listRows(resource, table(account), fields, (row) => isWithin(fields, row.created) && matches(resource, row, fields)),
    },
    {
      ...{ method: 'GET', path: `/v1/${path}/:id`, right, parameters: [] },
      answer: ({ account, id }) => {
        const row = table(account).get(id);
        if (!row) throw missing(kind, id);
        return row;
      },
    },
  ];
}

function describeAccount({ account: { identity } }: PaymentCall): object {
  const { id, country, currency, name } = identity;
  return {
    ...{ id, object: 'account', business_profile: null, charges_enabled: true, country, default_currency: currency },
    ...{ details_submitted: true, email: null, payouts_enabled: true, type: 'standard' },
    settings: { ...accountSettingsConstants, dashboard: { display_name: name, timezone: 'Etc/UTC' } },
  };
}

/** Stripe lists the events of the last 30 days only. */
function listEvents({ account, fields }: PaymentCall): object {
  const isAsked = readEventFilter(fields);
  const delivered = fields.flag('delivery_success');
  const undelivered = delivered === undefined ? null : undeliveredEvents(account);
  const oldest = account.now() - eventSeconds;
  return listRows({ kind: 'event', path: 'events' }, account.events, fields, (row) => {
    const { id, created, type } = row as StripeEvent;
    if (created < oldest || !isAsked(type) || !isWithin(fields, created)) return false;
    return undelivered === null || undelivered.has(id) !== delivered;
  });
}

/** Events with a delivery that is still pending or has failed. */
function undeliveredEvents(account: PaymentAccount): Set<string> {
  const open = [...account.deliveries.values()].filter(({ state }) => state !== 'delivered');
  return new Set(open.map(({ eventId }) => eventId));
}

function findEvent({ account, id }: PaymentCall): object {
  const event = account.events.get(id);
  if (!event || event.created < account.now() - eventSeconds) throw missing('event', id);
  return event;
}

/** Only this answer contains the secret. */
function createEndpoint({ accounts, account, fields }: PaymentCall): object {
  const { url, enabledEvents, more } = readEndpoint(fields);
  const mode = account.identity.isLive ? 'live' : 'test';
  if (account.endpoints.size >= endpointLimit)
    throw invalid(`You have reached the maximum of ${endpointLimit} ${mode} webhook endpoints.`);
  const endpoint = accounts.addEndpoint(account, url, enabledEvents, more);
  return { ...endpoint, secret: account.secrets.get(endpoint.id) };
}

function listEndpoints({ account, fields }: PaymentCall): object {
  const table = new Table<Row>();
  for (const endpoint of account.endpoints.values()) table.add(endpoint);
  return listRows({ kind: 'webhook endpoint', path: 'webhook_endpoints' }, table, fields, () => true);
}

function findEndpoint(account: PaymentAccount, id: string): WebhookEndpoint {
  const endpoint = account.endpoints.get(id);
  if (!endpoint) throw missing('webhook endpoint', id);
  return endpoint;
}

function removeEndpoint({ accounts, account, id }: PaymentCall): object {
  findEndpoint(account, id);
  accounts.removeEndpoint(account, id);
  return { id, object: 'webhook_endpoint', deleted: true };
}
