import { sendJson, type Exchange, type Route } from '../router.ts';
import { catalogOperations } from './catalog.ts';
import { checkoutOperations } from './checkout.ts';
import { customerOperations } from './customers.ts';
import { invalid, StripeError } from './errors.ts';
import { expand } from './expand.ts';
import { strikeEarly, strikeExecuting, strikeLate, strikeSlow } from './faults.ts';
import { Fields } from './fields.ts';
import { parseForm } from './form.ts';
import { Idempotency, type Answer } from './idempotency.ts';
import { newId } from './ids.ts';
import { invoiceOperations } from './invoice-operations.ts';
import { apiVersion } from './objects.ts';
import type { Operation } from './operation.ts';
import { portalOperations } from './portal.ts';
import type { StripeState } from './state.ts';
import { subscriptionOperations } from './subscriptions.ts';
import { passTime } from './time.ts';
import { webhookOperations } from './webhooks.ts';

const operations = [
  ...customerOperations,
  ...catalogOperations,
  ...checkoutOperations,
  ...subscriptionOperations,
  ...invoiceOperations,
  ...portalOperations,
  ...webhookOperations,
];

export function stripeRoutes(state: StripeState): Route[] {
  const idempotency = new Idempotency(state);
  const methods = ['GET', 'POST', 'DELETE'] as const;
  return [
    ...operations.map((operation) => ({
      method: operation.method,
      path: new RegExp(`^${operation.path.replace(':id', '(?<id>[^/]+)')}$`),
      answer: (exchange: Exchange) => answerCall(state, idempotency, operation, exchange),
    })),
    ...methods.map((method) => ({
      method,
      path: /^\/v1(?:\/|$)/,
      answer: (exchange: Exchange) => answerCall(state, idempotency, unknownOperation(method, exchange.url.pathname), exchange),
    })),
  ];
}

/** The address under which the caller reached the sandbox, for links to its pages. */
export function originOf({ request }: Exchange): string {
  return `http://${request.headers.host ?? 'localhost'}`;
}

function unknownOperation(method: Operation['method'], path: string): Operation {
  const answer = (): never => {
    const message = `Unrecognized request URL (${method}: ${path}). The sandbox simulates only a part of Stripe's API.`;
    throw new StripeError(404, 'invalid_request_error', message);
  };
  return { method, path, parameters: [], answer };
}

/** Common handling of all calls: faults, key, version, idempotency and errors in Stripe's format. */
async function answerCall(state: StripeState, idempotency: Idempotency, operation: Operation, exchange: Exchange): Promise<void> {
  const { request, response, url, body } = exchange;
  const requestId = newId('req_', 14);
  const headers = { 'request-id': requestId, 'stripe-version': apiVersion };
  const customerId = /cus_\w+/.exec(`${url.pathname} ${url.search} ${body}`)?.[0];
  const resource = url.pathname.split('/')[2] ?? '';
  const occasion = { endpoint: 'api', resource, ...(customerId && { customerId }) };
  try {
    if (!strikeEarly(state.faults, exchange, occasion)) return;
    authenticate(exchange);
    const key = request.method === 'POST' ? textOf(request.headers['idempotency-key']) : null;
    const execute = async (): Promise<Omit<Answer, 'originalRequestId'>> => {
      await strikeSlow(state.faults, exchange, occasion);
      const carryOut = () => executeNow(state, operation, exchange, { id: requestId, idempotency_key: key });
      const broken = strikeExecuting(state.faults, exchange, occasion, carryOut);
      return broken ? { status: broken.status, body: broken.body(requestId) } : carryOut();
    };
    const answer: Answer = key
      ? await idempotency.once(key, `${request.method} ${url.pathname} ${body}`, requestId, execute)
      : { ...(await execute()), originalRequestId: null };
    state.changed();
    if (answer.originalRequestId === null && strikeLate(state.faults, exchange, occasion)) return;
    sendJson(response, answer.status, answer.body, {
      ...headers,
      ...(key && { 'idempotency-key': key }),
      ...(answer.originalRequestId && { 'original-request': answer.originalRequestId, 'idempotent-replayed': 'true' }),
    });
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    sendJson(response, error.status, error.body(requestId), headers);
  }
}

/** A declined card is an outcome that the idempotency key stores. Any other error is thrown and not stored. */
function executeNow(
  state: StripeState,
  operation: Operation,
  exchange: Exchange,
  cause: StripeState['currentRequest'],
): Omit<Answer, 'originalRequestId'> {
  const { url, body, params } = exchange;
  const fields = new Fields(parseForm(operation.method === 'POST' ? body : url.search.slice(1) || body));
  fields.refuseOthersThan([...operation.parameters, 'expand']);
  passTime(state);
  state.currentRequest = cause;
  try {
    const object = operation.answer({ state, fields, id: decodeURIComponent(params.id ?? ''), origin: originOf(exchange) });
    return { status: 200, body: expand(state, object, fields) };
  } catch (error) {
    if (error instanceof StripeError && error.type === 'card_error')
      return { status: error.status, body: error.body(cause?.id ?? '') };
    throw error;
  } finally {
    state.currentRequest = { id: null, idempotency_key: null };
  }
}

function authenticate({ request }: Exchange): void {
  const { authorization = '' } = request.headers;
  const basic = /^Basic\s+(\S+)$/i.exec(authorization)?.[1];
  const key = basic ? Buffer.from(basic, 'base64').toString().split(':')[0] : /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
  if (!key)
    throw new StripeError(
      401,
      'invalid_request_error',
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
    );
  if (!/^(sk|rk)_test_\w+$/.test(key) || key.endsWith('_wrong'))
    throw new StripeError(401, 'invalid_request_error', `Invalid API Key provided: ${key.slice(0, 3)}***`, {
      code: 'api_key_invalid',
    });
  const version = request.headers['stripe-version'];
  if (version !== undefined && version !== apiVersion)
    throw invalid(`The sandbox supports only ${apiVersion}; requested: ${textOf(version) ?? ''}.`);
}

function textOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}
