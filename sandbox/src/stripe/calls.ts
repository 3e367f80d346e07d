import type { Faults, Occasion } from '../faults.ts';
import { sendJson, type Exchange } from '../router.ts';
import { invalid, StripeError } from './errors.ts';
import { strikeEarly, strikeExecuting, strikeLate, strikeSlow } from './faults.ts';
import type { Answer, Idempotency } from './idempotency.ts';
import { newId } from './ids.ts';
import { apiVersion, type StripeEvent } from './objects.ts';

export interface CallHandling {
  faults: Faults;
  idempotency: Idempotency;
  /** Properties by which faults select this call. */
  occasion: Occasion;
  /** Throws if the caller's key does not allow this call. */
  authenticate(): void;
  /** Processes the call. Events name `cause`. */
  run(cause: StripeEvent['request']): Omit<Answer, 'originalRequestId'>;
  /** Called after every processed call. */
  changed(): void;
}

/** Common handling of all calls: faults, key, version, idempotency and errors in Stripe's format. */
export async function answerCall(exchange: Exchange, handling: CallHandling): Promise<void> {
  const { request, response, url, body } = exchange;
  const { faults, idempotency, occasion } = handling;
  const requestId = newId('req_', 14);
  const headers = { 'request-id': requestId, 'stripe-version': apiVersion };
  try {
    if (!strikeEarly(faults, exchange, occasion)) return;
    handling.authenticate();
    requireVersion(exchange);
    const key = request.method === 'POST' ? textOf(request.headers['idempotency-key']) : null;
    const execute = async (): Promise<Omit<Answer, 'originalRequestId'>> => {
      await strikeSlow(faults, exchange, occasion);
      const carryOut = () => runNow(handling, { id: requestId, idempotency_key: key });
      const broken = strikeExecuting(faults, exchange, occasion, carryOut);
      return broken ? { status: broken.status, body: broken.body(requestId) } : carryOut();
    };
    const answer: Answer = key
      ? await idempotency.once(key, `${request.method} ${url.pathname} ${body}`, requestId, execute)
      : { ...(await execute()), originalRequestId: null };
    handling.changed();
    if (answer.originalRequestId === null && strikeLate(faults, exchange, occasion)) return;
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

/** The API key of a call, as bearer token or as user name of Basic authentication. */
export function readKey({ request }: Exchange): string | null {
  const { authorization = '' } = request.headers;
  const basic = /^Basic\s+(\S+)$/i.exec(authorization)?.[1];
  const key = basic ? Buffer.from(basic, 'base64').toString().split(':')[0] : /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
  return key || null;
}

/** A declined card is an outcome that the idempotency key stores. Any other error is thrown and not stored. */
function runNow(handling: CallHandling, cause: StripeEvent['request']): Omit<Answer, 'originalRequestId'> {
  try {
    return handling.run(cause);
  } catch (error) {
    if (error instanceof StripeError && error.type === 'card_error')
      return { status: error.status, body: error.body(cause.id ?? '') };
    throw error;
  }
}

function requireVersion({ request }: Exchange): void {
  const version = request.headers['stripe-version'];
  if (version !== undefined && version !== apiVersion)
    throw invalid(`The sandbox supports only ${apiVersion}; requested: ${textOf(version) ?? ''}.`);
}

function textOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}
