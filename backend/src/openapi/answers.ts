import type { OpenAPIObject } from '@nestjs/swagger';
import { PERSON_ONLY } from '../access/index.js';
import { readableCollectionOf } from '../core/http/location.interceptor.js';
import { PROBLEMS, type ProblemCode } from '../core/http/problem.js';
import type { Handler } from './handlers.js';
import { listOperations, type MediaType, type OperationEntry } from './schema.js';

interface Answer {
  $ref?: string;
  description?: string;
  headers?: Record<string, object>;
  content?: Record<string, MediaType>;
}

const CODES = Object.keys(PROBLEMS) as ProblemCode[];
/** Widened to number: the catalog's type contains only the statuses in use. */
const STATUS_OF: Record<ProblemCode, number> = Object.fromEntries(CODES.map((code) => [code, PROBLEMS[code].status])) as Record<
  ProblemCode,
  number
>;
const DONE: Record<string, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Queued.',
  204: 'Success without content.',
  302: 'Redirect.',
};

/** Adds all error responses of each operation: common ones by its access rule and path, specific ones from `@Answers`. */
export function addAnswers(document: OpenAPIObject, handlers: Map<string, Handler>): void {
  const shared: Shared = { examples: {}, responses: {} };
  for (const entry of listOperations(document)) {
    const handler = handlers.get(entry.operation.operationId ?? '');
    const responses = entry.operation.responses as Record<string, Answer>;
    for (const [status, answer] of Object.entries(responses)) {
      answer.description = answer.description || DONE[status] || '';
      const { Location, ...headers } = headersOf(status);
      const isSent = Location && readableCollectionOf(entry.path) !== null;
      answer.headers = { ...answer.headers, ...headers, ...(isSent && { Location }) };
    }
    if (handler && isRepeatable(handler, entry)) entry.operation.parameters?.push(IDEMPOTENCY_KEY);
    if (handler) addErrors(responses, codesOf(handler, entry), isDocumentedCall(entry.path), shared);
  }
  const components = (document.components ??= {});
  components.schemas = { ...components.schemas, Problem: PROBLEM_SCHEMA } as typeof components.schemas;
  Object.assign(components, { headers: HEADERS, ...shared });
}

/** Error responses that several operations share, as components. */
interface Shared {
  examples: Record<string, object>;
  responses: Record<string, object>;
}

const isDocumentedCall = (path: string): boolean =>
  path.startsWith('/billing/') || (path.startsWith('/api/') && !path.startsWith('/api/v1/'));

/** Only the REST API: the specified endpoints accept no API keys. */
const rejectsApiKeys = ({ rule }: Handler, path: string): boolean =>
  rule?.kind === 'permission' && PERSON_ONLY.has(rule.permission) && path.startsWith('/api/v1/');

/** POST requests of the REST API accept an idempotency key. */
const isRepeatable = ({ rule }: Handler, { path, method }: OperationEntry): boolean =>
  method === 'post' && path.startsWith('/api/v1/') && rule?.kind !== 'public';

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description:
    'A repeated request with the same key within 24 hours is not executed again: it returns the first response. After an error it is executed, unless the error is unexpected (500, or 503 `database.unavailable`) and came after a change was stored.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '7d1f0c8e-create-source',
};

/** Codes that reject a body before it is parsed. */
const BODY_CODES: ProblemCode[] = ['request.malformed', 'request.too_large', 'request.unsupported_encoding'];

/** The error codes that an operation can return. */
export function codesOf(handler: Handler, entry: OperationEntry): ProblemCode[] {
  const { path, operation } = entry;
  const kind = handler.rule?.kind ?? 'public';
  const hasFields = operation.requestBody !== undefined || (operation.parameters ?? []).length > 0;
  const wanted = (code: ProblemCode): boolean =>
    handler.codes.includes(code) ||
    code === 'internal' ||
    code === 'database.unavailable' ||
    (hasFields && code === 'request.invalid') ||
    (operation.requestBody !== undefined && BODY_CODES.includes(code)) ||
    (kind !== 'public' && STATUS_OF[code] === 401) ||
    (kind === 'permission' && (code === 'access.role_too_low' || code === 'auth.second_factor_required')) ||
    (handler.needsVerifiedEmail && code === 'auth.email_unverified') ||
    (rejectsApiKeys(handler, path) && code === 'access.person_needed') ||
    (handler.needsSubscription && code === 'subscription.required') ||
    ((path.includes('{') || kind === 'permission') && code === 'not_found') ||
    (isForPeople(handler) && path.startsWith('/api/v1/') && code === 'access.person_needed') ||
    (isRepeatable(handler, entry) && code.startsWith('idempotency.')) ||
    code === 'rate_limit.exceeded';
  return CODES.filter(wanted);
}

const isForPeople = ({ rule }: Handler): boolean =>
  rule?.kind === 'optional' || (rule?.kind === 'signed-in' && !rule.acceptsKeys);

function addErrors(responses: Record<string, Answer>, codes: ProblemCode[], isCall: boolean, shared: Shared): void {
  const prefix = isCall ? 'call.' : '';
  for (const code of codes) shared.examples[prefix + code] ??= exampleOf(code, isCall);
  for (const status of new Set(codes.map((code) => String(STATUS_OF[code])))) {
    const group = codes.filter((code) => String(STATUS_OF[code]) === status);
    const error = errorResponseOf(status, group, prefix);
    const own = responses[status];
    if (own) own.content = { ...own.content, ...error.content };
    else {
      const key = prefix + group.join('-');
      shared.responses[key] = error;
      responses[status] = { $ref: `#/components/responses/${key}` };
    }
  }
}

function errorResponseOf(status: string, codes: ProblemCode[], prefix: string): Answer {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${prefix}${code}` }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: headersOf(status),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples } },
  };
}

function exampleOf(code: ProblemCode, isDocumentedCall: boolean): object {
  const { status, title } = PROBLEMS[code];
  const detail = code === 'request.invalid' ? 'name must be longer than or equal to 1 characters' : `${title}.`;
  const value = {
    ...(isDocumentedCall ? { success: false, message: detail } : {}),
    type: `/api/docs/errors#${code}`,
    title,
    status,
    code,
    detail,
    ...(code === 'request.invalid' ? { errors: [{ field: 'name', message: detail }] } : {}),
    requestId: '6f1f6f0e-3c3b-4d0e-9a55-0a2f6f6f2c11',
  };
  return { summary: title, value };
}

function headersOf(status: string): Record<string, object> {
  const names = [
    ...(/^[234]/.test(status) ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(['409', '429', '503'].includes(status) ? ['Retry-After'] : []),
    ...(status === '201' ? ['Location'] : []),
    ...(status === '401' ? ['WWW-Authenticate'] : []),
  ];
  return Object.fromEntries(
    ['X-Request-Id', 'Access-Control-Allow-Origin', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

const HEADERS = {
  'X-Request-Id': {
    description: "Identifies the request in the log. The caller's id is used when it has 1 to 200 printable ASCII characters.",
    schema: { type: 'string', maxLength: 200 },
  },
  'Access-Control-Allow-Origin': {
    description: 'Sent only by /billing, and only for the origin of the web app: other pages cannot read a response.',
    schema: { type: 'string', maxLength: 200 },
  },
  RateLimit: {
    description: 'Remaining requests, and the seconds until the limit resets (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', maxLength: 200 },
    example: '"user";r=499;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limits: requests, and the seconds of their window.',
    schema: { type: 'string', maxLength: 200 },
    example: '"user";q=500;w=60',
  },
  Location: {
    description: 'Path of the new resource, if it can be read by its id.',
    schema: { type: 'string', maxLength: 500 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    schema: { type: 'string', maxLength: 200 },
    example: 'Bearer',
  },
  'Retry-After': {
    description: 'Seconds to wait. With 409 only while a request with the same Idempotency-Key is in progress.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
    example: 30,
  },
};

const text = (description: string, maxLength: number) => ({ type: 'string', description, maxLength });

const NOTHING = { maxItems: 0, items: { type: 'object' } };

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'An error (RFC 9457).',
  additionalProperties: false,
  required: ['type', 'title', 'status', 'code', 'detail', 'requestId'],
  properties: {
    success: { type: 'boolean', const: false, description: 'Only in responses of specified endpoints.' },
    message: text('The cause. Only in responses of specified endpoints.', 20_000),
    invitations: { type: 'array', description: 'Empty. Only for specified endpoints that list invitations.', ...NOTHING },
    members: { type: 'array', description: 'Empty. Only for the specified endpoint that lists members.', ...NOTHING },
    type: text('Address of the description of this error code.', 200),
    title: text('Short description of the error code.', 200),
    status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    code: { type: 'string', description: 'Stable error code. Branch on it.', enum: CODES },
    detail: text('The cause, as a sentence for people.', 20_000),
    action: text('The action that resolves the error.', 500),
    errors: {
      type: 'array',
      description: 'One entry for each invalid field.',
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['field', 'message'],
        properties: { field: text('Path of the field.', 2_000), message: text('The violated rule.', 2_000) },
      },
    },
    checks: {
      type: 'array',
      description: 'Items of the destination check.',
      maxItems: 100,
      items: { $ref: '#/components/schemas/CheckEntry' },
    },
    otherUser: { $ref: '#/components/schemas/OtherUser' },
    requestId: { type: ['string', 'null'], description: 'Id of the request. Send it to support.', maxLength: 100 },
  },
};
