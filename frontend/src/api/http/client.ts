import createClient from 'openapi-fetch';
import { isRecord } from '~/lib/is-record';
import { NetworkProblem, toProblem } from './problem';
import type { paths } from '~/api/schema';

/** The server ends what it reads at a platform after 60 s. A longer limit shows its own error, which names the cause. */
const TIMEOUT_MS = 75_000;

let readToken: () => Promise<string | null> = () => Promise.resolve(null);

/** Sets the function that returns the user's ID token. The session calls it, so that this module does not depend on sign-in. */
export function provideToken(read: () => Promise<string | null>): void {
  readToken = read;
}

/** Codes of a 401 that concern the account, not only an expired token: a retry cannot help. */
const ACCESS_ENDED: readonly unknown[] = ['auth.disabled', 'auth.revoked'];

let reportAccessEnded: (reason: string) => void = () => {};

/** Called when the server ends the user's access, to sign out. Returns a function that unsubscribes. */
export function onAccessEnded(listener: (reason: string) => void): () => void {
  reportAccessEnded = listener;
  return () => {
    reportAccessEnded = () => {};
  };
}

/** Signs out when the server reports that the user's access has ended. */
export async function checkAccess(response: Response): Promise<void> {
  if (response.status !== 401) return;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (isRecord(body) && ACCESS_ENDED.includes(body.code)) reportAccessEnded(String(body.detail));
}

export async function authorizationHeaders(): Promise<Record<string, string>> {
  const token = await readToken();
  return token ? { Authorization: `Bearer ${token}` } : {};
}

async function send(request: Request, timeoutMs: number): Promise<Response> {
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(await authorizationHeaders())) headers.set(name, value);
  try {
    const response = await fetch(new Request(request, { headers, signal: AbortSignal.timeout(timeoutMs) }));
    await checkAccess(response);
    return response;
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    throw new NetworkProblem(
      isTimeout
        ? `Tributary did not respond within ${timeoutMs / 1000} s.`
        : 'Tributary could not be reached. Check your connection, then try again.',
    );
  }
}

/** Node has no location, and its requests need an absolute URL. */
const baseUrl = typeof location === 'undefined' ? 'http://localhost' : location.origin;

/** The option `fetch` of a call that the server may work on for longer than on others. */
export const sendWithin =
  (timeoutMs: number) =>
  (request: Request): Promise<Response> =>
    send(request, timeoutMs);

/** A client for all calls of the API document, with its types. */
export const client = createClient<paths>({ baseUrl, fetch: sendWithin(TIMEOUT_MS) });

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the body of a response. Throws an ApiProblem for an error response. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw toProblem(response.status, error, response.headers.get('x-request-id'));
  return data as T;
}
