import createClient from 'openapi-fetch';
import { isRecord } from '~/lib/is-record';
import { NetworkProblem, toProblem } from './problem';
import type { paths } from '~/api/schema';

/** Longer than any call may take on the server; a destination check waits for a slow host. */
const TIMEOUT_MS = 60_000;

let readToken: () => Promise<string | null> = () => Promise.resolve(null);

/** The session says how to get the caller's ID token; this layer knows nothing about sign-in. */
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

async function send(request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(await authorizationHeaders())) headers.set(name, value);
  try {
    const response = await fetch(new Request(request, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }));
    await checkAccess(response);
    return response;
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    throw new NetworkProblem(
      isTimeout ? `The server did not answer within ${TIMEOUT_MS / 1000} s.` : 'The server could not be reached.',
    );
  }
}

/** Every call of the API document, typed by it. */
export const client = createClient<paths>({ baseUrl: typeof location === 'undefined' ? '' : location.origin, fetch: send });

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of an answer, or an ApiProblem when the server says no. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw toProblem(response.status, error, response.headers.get('x-request-id'));
  return data as T;
}
