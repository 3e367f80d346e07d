import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LogEntry } from './request-log.ts';

/** One request and its answer, with the data that routes need. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  body: string;
  params: Record<string, string>;
  /** The entry of this exchange in the request log. Faults add their name. */
  log: LogEntry;
}

export interface Route<E = Exchange> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Matches the whole path; named groups become `params`. */
  path: RegExp;
  /** The body is large or binary: it is read from `request`, and `body` is empty. */
  isStreamed?: boolean;
  answer: (exchange: E) => void | Promise<void>;
}

export function findRoute<E>(
  routes: Route<E>[],
  method: string,
  path: string,
): { route: Route<E>; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return { route, params: { ...match.groups } };
  }
  return undefined;
}

const bodyLimitBytes = 4 * 1024 * 1024;

export class BodyTooLarge extends Error {}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyLimitBytes) throw new BodyTooLarge(`The body is larger than ${bodyLimitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Lets pages of other origins read an answer. */
export const ANY_ORIGIN = { 'access-control-allow-origin': '*' };

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify(body));
}

export function sendHtml(response: ServerResponse, status: number, html: string, scriptPolicy = "'none'"): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': [
      "default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:; connect-src 'self'",
      `script-src ${scriptPolicy}; base-uri 'none'; frame-ancestors 'none'`,
    ].join('; '),
  });
  response.end(html);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
