import type { Exchange, Route } from '../router.ts';
import { answerCall, readKey } from './calls.ts';
import { catalogOperations } from './catalog.ts';
import { checkoutOperations } from './checkout.ts';
import { customerOperations } from './customers.ts';
import { keyInvalid, keyMissing, unknownAddress } from './errors.ts';
import { billingObjects, expand } from './expand.ts';
import { Fields } from './fields.ts';
import { parseForm } from './form.ts';
import { Idempotency } from './idempotency.ts';
import { invoiceOperations } from './invoice-operations.ts';
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
      answer: (exchange: Exchange) => answerBillingCall(state, idempotency, operation, exchange),
    })),
    ...methods.map((method) => ({
      method,
      path: /^\/v1(?:\/|$)/,
      answer: (exchange: Exchange) =>
        answerBillingCall(state, idempotency, unknownOperation(method, exchange.url.pathname), exchange),
    })),
  ];
}

/** The address under which the caller reached the sandbox, for links to its pages. */
export function originOf({ request }: Exchange): string {
  return `http://${request.headers.host ?? 'localhost'}`;
}

function unknownOperation(method: Operation['method'], path: string): Operation {
  const answer = (): never => {
    throw unknownAddress(method, path);
  };
  return { method, path, parameters: [], answer };
}

function answerBillingCall(
  state: StripeState,
  idempotency: Idempotency,
  operation: Operation,
  exchange: Exchange,
): Promise<void> {
  const { url, body } = exchange;
  const customerId = /cus_\w+/.exec(`${url.pathname} ${url.search} ${body}`)?.[0];
  const resource = url.pathname.split('/')[2] ?? '';
  return answerCall(exchange, {
    faults: state.faults,
    idempotency,
    occasion: { endpoint: 'api', resource, ...(customerId && { customerId }) },
    authenticate: () => authenticate(exchange),
    run: (cause) => executeNow(state, operation, exchange, cause),
    changed: () => state.changed(),
  });
}

function executeNow(
  state: StripeState,
  operation: Operation,
  exchange: Exchange,
  cause: StripeState['currentRequest'],
): { status: number; body: object } {
  const { url, body, params } = exchange;
  const fields = new Fields(parseForm(operation.method === 'POST' ? body : url.search.slice(1) || body));
  fields.refuseOthersThan([...operation.parameters, 'expand']);
  passTime(state);
  state.currentRequest = cause;
  try {
    const object = operation.answer({ state, fields, id: decodeURIComponent(params.id ?? ''), origin: originOf(exchange) });
    return { status: 200, body: expand(billingObjects(state), object, fields) };
  } finally {
    state.currentRequest = { id: null, idempotency_key: null };
  }
}

function authenticate(exchange: Exchange): void {
  const key = readKey(exchange);
  if (!key) throw keyMissing();
  if (!/^sk_test_\w+$/.test(key) || key.endsWith('_wrong')) throw keyInvalid(key);
}
