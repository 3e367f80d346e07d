import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { type EgressPolicy, resolveAllowed, withoutBrackets } from '../../connectors/kit/egress.js';
import { FixSettings } from '../../connectors/kit/errors.js';

export interface WebhookRequest {
  url: URL;
  body: string;
  headers: Record<string, string>;
  egress: EgressPolicy;
  timeoutMs: number;
  /** Aborted when the process stops. */
  stopping: AbortSignal;
}

export interface WebhookAnswer {
  status: number | null;
  excerpt: string | null;
  /** Why it was not delivered; null: delivered. */
  error: string | null;
}

const MAX_EXCERPT_CHARACTERS = 1_000;
const HTTPS_PORT = 443;

/**
 * Sends one request to an address that a user entered. It connects to the address that was checked, follows no redirect and reads only the
 * start of the response. The error names no address, because Slack's is a secret.
 */
export async function postWebhook({ url, body, headers, egress, timeoutMs, stopping }: WebhookRequest): Promise<WebhookAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, stopping]);
  try {
    const host = withoutBrackets(url.hostname);
    const address = await resolveAllowed(host, egress, signal);
    const call = request({
      host: address,
      port: url.port === '' ? HTTPS_PORT : Number(url.port),
      path: url.pathname + url.search,
      method: 'POST',
      ...(isIP(host) ? {} : { servername: host }),
      headers: { ...headers, host: url.host, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal,
    });
    call.end(body);
    const [response] = (await once(call, 'response', { signal })) as [IncomingMessage];
    const status = response.statusCode ?? 0;
    return { status, excerpt: await readExcerpt(response), error: errorOf(status) };
  } catch (error) {
    if (stopping.aborted) throw error;
    return { status: null, excerpt: null, error: sentenceOf(error, timeout.aborted, timeoutMs) };
  }
}

async function readExcerpt(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const part of response) {
    text += String(part);
    if (text.length >= MAX_EXCERPT_CHARACTERS) break;
  }
  // PostgreSQL cannot store null characters.
  return text.slice(0, MAX_EXCERPT_CHARACTERS).replaceAll('\0', '');
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered with a redirect (${status}). Redirects are not followed.`;
  return `The receiver answered with status ${status}.`;
}

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection.',
  ENOTFOUND: 'The host was not found.',
  EAI_AGAIN: 'The host could not be looked up.',
};

function sentenceOf(error: unknown, isTimeout: boolean, timeoutMs: number): string {
  if (isTimeout) return `The receiver did not respond within ${timeoutMs / 1_000} s.`;
  if (error instanceof FixSettings) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return SENTENCES[code] ?? `The receiver could not be reached${/^[A-Z0-9_]+$/.test(code) ? ` (${code})` : ''}.`;
}
