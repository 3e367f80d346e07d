import type { IncomingMessage } from 'node:http';

export interface LogEntry {
  at: string;
  provider: string;
  method: string;
  path: string;
  query?: Record<string, string>;
  requestBody?: string;
  /** 0 if the connection ended without an answer. */
  status: number;
  durationMs: number;
  fault?: string;
}

const ringSize = 2_000;
const bodyLimitCharacters = 4_000;
const secretNames = new Set([
  'access_token',
  'refresh_token',
  'token',
  'id_token',
  'code',
  'code_verifier',
  'client_secret',
  'password',
  'authorization',
  'assertion',
  'private_key',
  'appsecret_proof',
  'fb_exchange_token',
  'input_token',
  'sig',
]);
const mask = '***';
/** Paths without their provider's name as prefix: Stripe's SDK supports only /v1. */
const providersByRoot: Record<string, string> = { v1: 'stripe' };

/** Requests and answers, newest last, without secrets. */
export class RequestLog {
  readonly #entries: LogEntry[] = [];

  add(entry: LogEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > ringSize) this.#entries.shift();
  }

  list(provider: string | null, limit: number): LogEntry[] {
    return this.#entries.filter((entry) => !provider || entry.provider === provider).slice(-limit);
  }
}

export function startLogEntry(request: IncomingMessage, url: URL, body: string): LogEntry {
  const query = maskedParameters(url.searchParams);
  const type = request.headers['content-type'] ?? '';
  const root = url.pathname.split('/')[1] ?? '';
  return {
    at: new Date().toISOString(),
    provider: providersByRoot[root] ?? root,
    method: request.method ?? 'GET',
    path: url.pathname,
    ...(Object.keys(query).length > 0 && { query }),
    ...(body && { requestBody: maskedBody(body, type).slice(0, bodyLimitCharacters) }),
    status: 0,
    durationMs: 0,
  };
}

function maskedParameters(parameters: URLSearchParams): Record<string, string> {
  const masked: Record<string, string> = {};
  for (const [name, value] of parameters) masked[name] = secretNames.has(name) ? mask : value;
  return masked;
}

function maskedBody(body: string, contentType: string): string {
  const isJson = contentType.includes('json') || body.trimStart().startsWith('{');
  if (!isJson) return new URLSearchParams(maskedParameters(new URLSearchParams(body))).toString();
  try {
    return JSON.stringify(JSON.parse(body, (name, value: unknown) => (secretNames.has(name) ? mask : value)));
  } catch {
    return '(not JSON)';
  }
}
