import type { Faults } from '../faults.ts';
import { sendJson, type Exchange, type Route } from '../router.ts';
import { strikeEarly, strikeLate, type Occasion } from './faults.ts';
import type { Message, Messages } from './messages.ts';
import { checkId, readEvent, readIdentify, TrackError } from './track.ts';

type Read = (customerId: string, body: string) => Omit<Message, 'at' | 'isDuplicate'>;

export function customerIoRoutes(faults: Faults, messages: Messages): Route[] {
  const route = (method: Route['method'], path: string, read: Read): Route => ({
    method,
    path: new RegExp(`^/customer-io/api/v1${path}$`),
    answer: (exchange) => answerCall(faults, messages, exchange, read),
  });
  const customer = '/customers/(?<id>[^/]+)';
  return [
    route('PUT', customer, readIdentify),
    route('DELETE', customer, (id) => ({ kind: 'delete', customerId: checkId(id), data: {} })),
    route('POST', `${customer}/events`, readEvent),
    route('POST', `${customer}/suppress`, (id) => ({ kind: 'suppress', customerId: checkId(id), data: {} })),
    route('POST', '/events', (_id, body) => readEvent(null, body)),
  ];
}

/** Common handling of all calls: credentials, faults and errors in the API's format. */
async function answerCall(faults: Faults, messages: Messages, exchange: Exchange, read: Read): Promise<void> {
  const { response, body } = exchange;
  try {
    const id = decodeId(exchange.params.id ?? '');
    const occasion = occasionOf(id, body);
    if (!(await strikeEarly(faults, exchange, occasion))) return;
    authenticate(exchange);
    messages.add(read(id, body));
    if (strikeLate(faults, exchange, occasion)) sendJson(response, 200, {});
  } catch (error) {
    if (!(error instanceof TrackError)) throw error;
    sendJson(response, error.status, { meta: { error: error.message } });
  }
}

function occasionOf(customerId: string, body: string): Occasion {
  const event = /"name"\s*:\s*"(?<name>[^"]+)"/.exec(body)?.groups?.name;
  return { endpoint: 'api', ...(customerId && { customerId }), ...(event && { event }) };
}

function decodeId(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new TrackError(400, 'id is not a valid URL segment');
  }
}

/** Accepts any site id and key except the key `wrong`. */
function authenticate({ request }: Exchange): void {
  const basic = /^Basic\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [siteId = '', apiKey = ''] = Buffer.from(basic, 'base64').toString().split(':');
  if (siteId === '' || apiKey === '' || apiKey === 'wrong') throw new TrackError(401, 'Unauthorized request');
}
