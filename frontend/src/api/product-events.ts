import type { Middleware } from 'openapi-fetch';
import { isRecord } from '~/lib/is-record';
import { track } from './analytics';
import type { ProductEvent } from './analytics';
import { client } from './http/client';

type Answer = Record<string, unknown>;
type Properties = ProductEvent['properties'];

interface Call {
  method: 'POST' | 'DELETE' | 'PATCH';
  path: RegExp;
  name: ProductEvent['name'];
  /** Null: this call is not the event. */
  propertiesOf?: (answer: Answer, body: Answer) => Properties | null;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const providerOf = (value: unknown): string | undefined => (isRecord(value) ? text(value.provider) : undefined);
const ofOrganization = (answer: Answer): Properties => ({ company_id: text(answer.organizationId) });
const ofItem = (answer: Answer): Properties => ({ type: text(answer.provider) });

/** Ad platforms are sources; BigQuery and others are destinations. */
const SOURCES = ['google_ads', 'meta_ads', 'microsoft_ads'];
const ofReconnect =
  (isSource: boolean) =>
  ({ isReconnect, app }: Answer): Properties | null =>
    isReconnect === true && SOURCES.includes(providerOf(app) ?? '') === isSource ? { type: providerOf(app) } : null;

const ORGANIZATION = '^/api/v1/organizations/[^/]+';
const at = (path: string): RegExp => new RegExp(`${ORGANIZATION}/${path}$`);
const reconnect = at('apps/oauth/(complete|accept-other-user)');

/** Which successful calls are events of the specification. `Account Created` and `Error Received` are raised where they occur. */
const CALLS: Call[] = [
  { method: 'POST', path: /^\/api\/createOrganization$/, name: 'Organization Created', propertiesOf: ofOrganization },
  { method: 'POST', path: /^\/api\/acceptInvitation$/, name: 'Organization Joined', propertiesOf: ofOrganization },
  { method: 'POST', path: at('sources'), name: 'Source Created', propertiesOf: ofItem },
  { method: 'DELETE', path: at('sources/[^/]+'), name: 'Source Deleted' },
  { method: 'POST', path: at('destinations'), name: 'Destination Created', propertiesOf: ofItem },
  { method: 'DELETE', path: at('destinations/[^/]+'), name: 'Destination Deleted' },
  {
    method: 'PATCH',
    path: at('destinations/[^/]+'),
    name: 'Destination Reauthenticated',
    propertiesOf: (answer, body) => (isRecord(body.credentials) ? ofItem(answer) : null),
  },
  { method: 'POST', path: reconnect, name: 'Source Reauthenticated', propertiesOf: ofReconnect(true) },
  { method: 'POST', path: reconnect, name: 'Destination Reauthenticated', propertiesOf: ofReconnect(false) },
  {
    method: 'POST',
    path: at('connections'),
    name: 'Connection Created',
    propertiesOf: ({ source, destination }) => ({ source: providerOf(source), destination: providerOf(destination) }),
  },
  { method: 'DELETE', path: at('connections/[^/]+'), name: 'Connection Deleted' },
  { method: 'POST', path: at('(connections/[^/]+/)?backfills'), name: 'Connection Historical Backfill Started' },
];

const organizationIn = (path: string): string | undefined => new RegExp(`${ORGANIZATION}(?=/)`).exec(path)?.[0].split('/').at(-1);

const parsed = async (message: Request | Response): Promise<Answer> => {
  const value: unknown = await message.json().catch(() => null);
  return isRecord(value) ? value : {};
};

/** The event that a successful call means; null for other calls. */
async function eventOf(request: Request, response: Response): Promise<ProductEvent | null> {
  const { pathname } = new URL(request.url);
  const calls = CALLS.filter(({ method, path }) => method === request.method && path.test(pathname));
  if (calls.length === 0 || !response.ok) return null;
  const [answer, body] = await Promise.all([parsed(response), parsed(request)]);
  for (const { name, propertiesOf = () => ({}) } of calls) {
    const properties = propertiesOf(answer, body);
    if (properties) return { name, properties: { company_id: organizationIn(pathname), ...properties } };
  }
  return null;
}

const bodies = new WeakMap<Request, Request>();

const productEvents: Middleware = {
  onRequest: ({ request }) => {
    // The body can be read only once, and the fetch reads it.
    if (request.method !== 'GET') bodies.set(request, request.clone());
  },
  onResponse: ({ request, response }) => {
    void eventOf(bodies.get(request) ?? request, response.clone()).then((event) => event && track(event));
  },
};

/** Calls `track` after each call that is an event of the specification. Returns a function that stops it. */
export function followProductEvents(): () => void {
  client.use(productEvents);
  return () => client.eject(productEvents);
}
