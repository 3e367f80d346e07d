import { NetworkProblem, toProblem } from './problem';

/** Longer than any call may take on the server; a destination check waits for a slow host. */
const TIMEOUT_MS = 60_000;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type QueryValue = string | number | boolean | null | undefined;

export interface RequestOptions {
  query?: Record<string, QueryValue>;
  body?: object;
}

let readToken: () => Promise<string | null> = () => Promise.resolve(null);

/** The session says how to get the caller's ID token; this layer knows nothing about sign-in. */
export function provideToken(read: () => Promise<string | null>): void {
  readToken = read;
}

export async function authorizationHeaders(): Promise<Record<string, string>> {
  const token = await readToken();
  return token ? { Authorization: `Bearer ${token}` } : {};
}

const withQuery = (path: string, query: RequestOptions['query']): string => {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const search = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
  return search ? `${path}?${search}` : path;
};

async function send(method: Method, path: string, { query, body }: RequestOptions): Promise<Response> {
  const headers = { ...(await authorizationHeaders()), ...(body ? { 'Content-Type': 'application/json' } : {}) };
  try {
    return await fetch(withQuery(path, query), {
      method,
      headers,
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    throw new NetworkProblem(
      isTimeout ? `The server did not answer within ${TIMEOUT_MS / 1000} s.` : 'The server could not be reached.',
    );
  }
}

const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return text ? (JSON.parse(text) as unknown) : null;
  } catch {
    return null;
  }
};

/** One call: the ID token, JSON both ways, and an ApiProblem when the server says no. */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  const body = await readBody(response);
  if (!response.ok) throw toProblem(response.status, body, response.headers.get('x-request-id'));
  return body as T;
}
