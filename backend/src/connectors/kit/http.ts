import type { ConnectorContext } from './contract.js';
import { RetryLater } from './errors.js';
import { isProgrammingError } from './programming-error.js';

export interface HttpSettings {
  /** Everything before the path; tests and the demo point it at another server. */
  baseUrl: string;
  /** In messages for the user: `Google Ads`. */
  serviceName: string;
  /** Header in which the service names a request, for its support. */
  requestIdHeader?: string;
  /** Until the head of the answer is there. */
  answerTimeoutMs?: number;
  /** Between two parts of the body. */
  idleTimeoutMs?: number;
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Appended to the base URL; holds no secret, because it is recorded. */
  path: string;
  /**
   * Appended to the path's query and never recorded, for services that take a secret nowhere else. Text goes as it is: the
   * signature of an address may not survive being written anew.
   */
  secretQuery?: Record<string, string> | string;
  headers?: Record<string, string>;
  /** One of these at most. */
  json?: unknown;
  form?: URLSearchParams;
  /** As it is; what it is stands in the headers. */
  body?: Uint8Array<ArrayBuffer>;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  requestId: string | null;
  /** The body as it arrives. The request is recorded when it ends: read it, or call `text`. */
  body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
}

/** Code of the error when the head or the next part of an answer did not come in time. */
export const HTTP_TIMEOUT = 'http.timeout';

const ANSWER_TIMEOUT_MS = 120_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Sends one request. Statuses are the caller's business; only a network that fails throws, as RetryLater. */
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

function withSecrets({ path, secretQuery }: HttpRequest): string {
  if (!secretQuery) return path;
  const query = typeof secretQuery === 'string' ? secretQuery : new URLSearchParams(secretQuery).toString();
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** A redirect is an answer like any other: followed, it could carry headers or a form with secrets to another host. */
const redirect = 'manual';

function toInit(request: HttpRequest, signal: AbortSignal): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json', ...request.headers };
  // Its content type is set by fetch.
  if (request.form) return { method: request.method, headers, signal, redirect, body: request.form };
  if (request.body) return { method: request.method, headers, signal, redirect, body: request.body };
  if (request.json === undefined) return { method: request.method, headers, signal, redirect };
  headers['content-type'] = 'application/json';
  return { method: request.method, headers, signal, redirect, body: JSON.stringify(request.json) };
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
      // A slow consumer is not an idle network.
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

/** One signal out of the caller's and a restartable time limit. Not `AbortSignal.any`: that stays linked to the caller's until collected. */
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

/** A stop that the caller asked for stays what it is; everything else of the network passes. */
function networkError(settings: HttpSettings, context: ConnectorContext, error: unknown): unknown {
  if (context.signal.aborted) return context.signal.reason;
  if (isProgrammingError(error)) return error;
  const isTimeout = error instanceof AnswerTimeout || (hasProperty(error, 'cause') && error.cause instanceof AnswerTimeout);
  return new RetryLater(
    {
      code: isTimeout ? HTTP_TIMEOUT : 'http.unreachable',
      message: isTimeout
        ? `${settings.serviceName} did not answer in time (${networkReason(error)}).`
        : `${settings.serviceName} could not be reached or broke off its answer (${networkReason(error)}).`,
      action: 'None: the request is retried automatically',
    },
    { cause: error },
  );
}

/** System codes such as ECONNRESET, or the time limit; never a whole error text, which may quote a URL. */
function networkReason(error: unknown): string {
  const cause = hasProperty(error, 'cause') ? error.cause : error;
  if (hasProperty(cause, 'code') && typeof cause.code === 'string') return cause.code;
  return error instanceof AnswerTimeout ? error.message : 'connection closed';
}

function hasProperty<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value && (value as Record<Name, unknown>)[name] != null;
}
