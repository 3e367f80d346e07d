import type { MediaType, OperationEntry, Parameter } from '../../src/openapi/schema.js';

/** A call in the form in which it is sent. */
export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
}

export type Values = Record<string, string>;

export const parametersOf = ({ operation }: OperationEntry): Parameter[] => (operation.parameters ?? []) as Parameter[];
export const bodyExampleOf = ({ operation }: OperationEntry): unknown =>
  (operation.requestBody as { content?: Record<string, MediaType> } | undefined)?.content?.['application/json']?.example;

/** Path values that are not stored in our database. */
const NOT_OURS: Values = {
  badge: 'QWERTYuiopQWERTYuiopQWERTYuiopQWERTYuiop123',
  sessionId: 'cs_test_of_nobody',
  provider: 'google_ads',
  link: 'of-nobody',
};

/** The call of the document's example, with these ids. */
export function requestOf(entry: OperationEntry, values: Values): Request {
  const parameters = parametersOf(entry);
  const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? NOT_OURS[name];
    if (value === undefined) throw new Error(`The matrix has no ${name}: add it to test/permission-matrix/test-organization.ts`);
    return encodeURIComponent(value);
  });
  const query = parameters
    .filter(
      (parameter) => parameter.in === 'query' && (parameter.required || (parameter.name in values && parameter.name !== 'type')),
    )
    .map(({ name, example }): [string, string] => [name, values[name] ?? String(example)]);
  const body = bodyExampleOf(entry);
  return {
    method: entry.method.toUpperCase(),
    path: query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
    headers: {},
    ...(body === undefined ? {} : { body: filled(body, values) }),
  };
}

function filled(example: unknown, values: Values): unknown {
  if (Array.isArray(example)) return example.map((item) => filled(item, values));
  if (example === null || typeof example !== 'object') return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      name !== 'type' && values[name] !== undefined ? values[name] : filled(value, values),
    ]),
  );
}

/**
 * The same call with a fault that only callers meet who pass the guard. It shows that a caller passes, and changes nothing.
 */
export function withUnknownField(entry: OperationEntry, values: Values): Request {
  const request = requestOf(entry, values);
  if (request.body !== undefined) return { ...request, body: { ...(request.body as object), unknownField: true } };
  if (parametersOf(entry).some((parameter) => parameter.in === 'query'))
    return { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}unknownField=1` };
  if (entry.method === 'post' && entry.path.startsWith('/api/v1/')) return { ...request, headers: { 'idempotency-key': '' } };
  const own = parametersOf(entry).findLast((parameter) => parameter.in === 'path' && parameter.name !== 'organizationId');
  if (!own) throw new Error(`${entry.method} ${entry.path} cannot be tested without effect`);
  return requestOf(entry, { ...values, [own.name]: 'nobody' });
}

/** A GET only reads, so it can be tested without a fault, except for the GET that deletes. */
export const isReading = ({ method, operation }: OperationEntry): boolean =>
  method === 'get' && operation.operationId !== 'deleteDocument';
