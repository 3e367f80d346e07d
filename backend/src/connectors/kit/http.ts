import type { ConnectorContext } from './contract.js';
import { RetryLater } from './errors.js';
import { withoutTimeLimits } from './fetch-dispatcher.js';
import { isProgrammingError } from './programming-error.js';

export interface HttpSettings {
  /** Prefix of all paths. Tests and the demo set it to another server. */
  baseUrl: string;
  /** Used in user messages: `Google Ads`. */
  serviceName: string;
  /** Header with the service's request id, for its support. */
  requestIdHeader?: string;
  /** Limit until the response head arrives. */
  answerTimeoutMs?: number;
  /** Limit between two parts of the body. */
  idleTimeoutMs?: number;
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Appended to the base URL. Contains no secret, because it is recorded. */
  path: string;
  /**
   * Appended to the path's query and never recorded, for services that accept a secret only there. Text is sent unchanged:
   * re-encoding a signed URL can invalidate its signature.
   */
  secretQuery?: Record<string, string> | string;
  headers?: Record<string, string>;
  /** At most one of `json`, `form` and `body`. */
  json?: unknown;
  form?: URLSearchParams;
  /** The form has no secret, so the test bench may show it. */
  hasPublicForm?: boolean;
  /** Sent unchanged. The headers give its content type. */
  body?: Uint8Array<ArrayBuffer>;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  requestId: string | null;
  /** The body as it arrives. The request is recorded when the body ends, so read it or call `text`. */
  body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
}

/** Error code when the head or the next part of an answer did not arrive in time. */
export const HTTP_TIMEOUT = 'http.timeout';

const ANSWER_TIMEOUT_MS = 120_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Sends one request. The caller handles all statuses. Throws RetryLater only for network failures. */
export async function sendRequest(settings: HttpSettings, context: ConnectorContext, request: HttpRequest): Promise<HttpAnswer> {
  await context.beforeRequest?.();
  const startedAt = performance.now();
  const timer = new AbortTimer(context.signal);
  const record = (status: number | null, requestId: string | null) =>
    context.onRequest({
      method: request.method,
      url: settings.baseUrl + request.path,
      status,
      durationMs: Math.round(performance.now() - startedAt),
      providerRequestId: requestId,
      ...(context.recordsBodies ? recordedBody(request) : {}),
    });
  try {
    timer.restart(settings.answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
    const response = await fetch(settings.baseUrl + withSecrets(request), toInit(request, timer.signal));
    const requestId = response.headers.get(settings.requestIdHeader ?? 'request-id');
    const finish = () => record(response.status, requestId);
    const body = readBody(settings, context, response, timer, finish);
    return { status: response.status, headers: response.headers, requestId, body, text: () => readText(body) };
  } catch (error) {
    timer.close();
    record(null, null);
    throw networkError(settings, context, error);
  }
}

/**
 * Forms are left out unless the caller says that they have no secret: sign-in services take secrets in forms. So are bytes, which
 * are compressed.
 */
function recordedBody({ json, form, hasPublicForm }: HttpRequest): { body?: string } {
  if (json !== undefined) return { body: JSON.stringify(json) };
  return form && hasPublicForm ? { body: form.toString() } : {};
}

function withSecrets({ path, secretQuery }: HttpRequest): string {
  if (!secretQuery) return path;
  const query = typeof secretQuery === 'string' ? secretQuery : new URLSearchParams(secretQuery).toString();
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** Redirects are not followed, because they could send headers or a form with secrets to another host. */
const redirect = 'manual' as const;

function toInit(request: HttpRequest, signal: AbortSignal): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json', ...request.headers };
  const init = { method: request.method, headers, signal, redirect, dispatcher: withoutTimeLimits };
  // fetch sets the content type of a form.
  if (request.form) return { ...init, body: request.form };
  if (request.body) return { ...init, body: request.body };
  if (request.json === undefined) return init;
  headers['content-type'] = 'application/json';
  return { ...init, body: JSON.stringify(request.json) };
}

async function* readBody(
  settings: HttpSettings,
  context: ConnectorContext,
  response: Response,
  timer: AbortTimer,
  finish: () => void,
): AsyncGenerator<Uint8Array> {
  const idleTimeoutMs = settings.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
  const reader = response.body?.getReader();
  try {
    while (reader) {
      timer.restart(idleTimeoutMs);
      const part = await reader.read().catch((error: unknown) => Promise.reject(networkError(settings, context, error)));
      // Time spent by a slow consumer does not count as network idle time.
      timer.stop();
      if (part.done) return;
      yield part.value;
    }
  } finally {
    timer.close();
    await reader?.cancel().catch(() => undefined);
    finish();
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

class AnswerTimeout extends Error {}

/**
 * Combines the caller's signal with a restartable timeout. `AbortSignal.any` stays linked to the caller's signal until garbage
 * collection.
 */
class AbortTimer {
  private readonly controller = new AbortController();
  private timeout: NodeJS.Timeout | undefined;
  private readonly outer: AbortSignal;
  private readonly stopWithOuter = () => this.controller.abort(this.outer.reason);

  constructor(outer: AbortSignal) {
    this.outer = outer;
    if (outer.aborted) this.stopWithOuter();
    else outer.addEventListener('abort', this.stopWithOuter);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(milliseconds: number): void {
    clearTimeout(this.timeout);
    this.timeout = setTimeout(
      () => this.controller.abort(new AnswerTimeout(`no answer for ${milliseconds / 1000} s`)),
      milliseconds,
    );
  }

  stop(): void {
    clearTimeout(this.timeout);
  }

  close(): void {
    this.stop();
    this.outer.removeEventListener('abort', this.stopWithOuter);
  }
}

/** Codes of undici, below fetch. A proxy's dispatcher may have limits of its own. */
const FETCH_TIMEOUTS = new Set<unknown>(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Passes an abort by the caller through. Every other network error becomes RetryLater. */
function networkError(settings: HttpSettings, context: ConnectorContext, error: unknown): unknown {
  if (context.signal.aborted) return context.signal.reason;
  if (isProgrammingError(error)) return error;
  const cause = hasProperty(error, 'cause') ? error.cause : error;
  const isTimeout = cause instanceof AnswerTimeout || (hasProperty(cause, 'code') && FETCH_TIMEOUTS.has(cause.code));
  return new RetryLater(
    {
      code: isTimeout ? HTTP_TIMEOUT : 'http.unreachable',
      message: isTimeout
        ? `${settings.serviceName} did not answer in time (${networkReason(error)}).`
        : `${settings.serviceName} could not be reached or closed the connection early (${networkReason(error)}).`,
      action: 'No action needed: Tributary retries automatically',
    },
    { cause: error },
  );
}

/** System codes such as ECONNRESET, or the timeout. Never a whole error text, because it may quote a URL. */
function networkReason(error: unknown): string {
  const cause = hasProperty(error, 'cause') ? error.cause : error;
  if (hasProperty(cause, 'code') && typeof cause.code === 'string') return cause.code;
  return error instanceof AnswerTimeout ? error.message : 'connection closed';
}

function hasProperty<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value && (value as Record<Name, unknown>)[name] != null;
}
