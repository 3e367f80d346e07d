import type { OpenAPIObject } from '@nestjs/swagger';
import type { Handler } from './handlers.js';
import { MAX_ITEMS } from './list-limits.js';
import {
  hasType,
  listOperations,
  type MediaType,
  type Operation,
  type Parameter,
  type Schema,
  schemasOf,
  walkSchema,
} from './schema.js';

/** Ids that are not ours: Firebase's, the providers', Stripe's. */
const FOREIGN_IDS =
  /^(userId|user_id|inviter_user_id|memberId|accountId|externalId|managerId|customerId|sessionId|projectId|requestId|providerRequestId|actorId)$/;
/** Longest text of an answer that has no bound of its own: a log line, a description of a stream. */
const TEXT_MAX_LENGTH = 10_000;
const PAGE_MAX_ITEMS = 100;

/** What a name says of a text, since times end in At, ids in Id, and money is micros. */
const BY_NAME: [RegExp, Partial<Schema>][] = [
  // An event tells of people and permissions too.
  [/^AuditTarget\.id$/, { maxLength: 128 }],
  [/^(earliestDataAt|latestDataAt)$/, { format: 'date', maxLength: 10 }],
  [/(^at$|At$|^asOf$|^currentPeriodEnd$)/, { format: 'date-time', maxLength: 30 }],
  [/^(day|date|from|to|historyFrom|completeThrough)$/, { format: 'date', maxLength: 10 }],
  [/^atTime$/, { maxLength: 5 }],
  [FOREIGN_IDS, { maxLength: 128 }],
  [/(^id|Id|_id)$/, { format: 'uuid', maxLength: 36 }],
  [/[mM]icros/, { pattern: '^-?\\d+$', maxLength: 20 }],
  [/(^email|Email|_email)$/, { format: 'email', maxLength: 320 }],
  [/^(logo|company_logo|organizationLogo)$/, { maxLength: 100 }],
  [/^timeZone$/, { maxLength: 64 }],
  [/^currency$/, { pattern: '^[A-Z]{3}$', maxLength: 3 }],
];

/** Figures that are not whole. */
const FRACTIONS = /^(rowsPerSecond|minutes)$/;
/** Figures that pass 2^31. */
const LARGE = /^(rows|bytes|rows(Read|Written|Rejected|Expected|Found|ThisMonth)|quotaWaitMs|durationMs|all)$/;

/** Formats and bounds of everything the document describes, so that clients can check what they send and expect. */
export function addBounds(document: OpenAPIObject, handlers: Map<string, Handler>): void {
  for (const [name, schema] of Object.entries(schemasOf(document))) {
    const isPage = name.endsWith('Page');
    for (const entry of walkSchema(schema, '')) addBound(entry.schema, `${name}.${entry.name}`, isPage);
  }
  for (const { path, operation } of listOperations(document)) {
    const uuids = ['organizationId', ...(handlers.get(operation.operationId ?? '')?.uuids ?? [])];
    const parameters = withPathParameters(path, (operation.parameters ?? []) as Parameter[]);
    for (const parameter of parameters) {
      const { schema, name } = parameter;
      if (parameter.in === 'path') Object.assign(schema, uuids.includes(name) ? UUID : { maxLength: schema.maxLength ?? 200 });
      addBound(schema, name, false);
    }
    operation.parameters = parameters as Operation['parameters'];
    for (const answer of Object.values(operation.responses) as { content?: Record<string, MediaType> }[])
      for (const [type, { schema }] of Object.entries(answer.content ?? {})) if (schema) boundFile(type, schema);
  }
}

/** A stream has no length of its own. */
function boundFile(type: string, schema: Schema): void {
  if (!type.includes('json') && hasType(schema, 'string')) schema.maxLength ??= 2 ** 31 - 1;
}

const UUID = { format: 'uuid', maxLength: 36 };

/** A handler that takes its organization from the guard does not name it. */
function withPathParameters(path: string, given: Parameter[]): Parameter[] {
  const missing = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !given.some((parameter) => parameter.name === name));
  return [...missing.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })), ...given];
}

/** @param place the property's name, after its schema's where there is one */
function addBound(schema: Schema, place: string, isPage: boolean): void {
  const name = place.split('.').at(-1) ?? '';
  if (hasType(schema, 'string') && !schema.enum) boundText(schema, place, name);
  if (hasType(schema, 'number')) boundNumber(schema, name);
  if (hasType(schema, 'array')) schema.maxItems ??= isPage && name === 'items' ? PAGE_MAX_ITEMS : MAX_ITEMS[place];
  // What the product does not describe it neither takes nor says.
  if (schema.properties) schema.additionalProperties ??= false;
}

function boundText(schema: Schema, place: string, name: string): void {
  // What is sent has the form its own rules give it; a name promises nothing but a day.
  const byName = () => BY_NAME.find(([pattern]) => pattern.test(place) || pattern.test(name))?.[1];
  const known = schema.format ? FORMATS[schema.format] : byName();
  const given = { ...schema };
  Object.assign(schema, known, given);
  if (/(Body|Properties)\./.test(place) && !given.format && schema.format !== 'date') delete schema.format;
  schema.maxLength ??= TEXT_MAX_LENGTH;
}

const FORMATS: Record<string, Partial<Schema>> = {
  uuid: UUID,
  email: { maxLength: 320 },
  uri: { maxLength: 2_000 },
};

function boundNumber(schema: Schema, name: string): void {
  if (FRACTIONS.test(name)) schema.format = 'double';
  else {
    schema.type = Array.isArray(schema.type) ? schema.type.map((type) => (type === 'number' ? 'integer' : type)) : 'integer';
    schema.format = LARGE.test(name) ? 'int64' : 'int32';
    // Nothing counted here is negative, and what passes 2^53 travels as text.
    schema.minimum ??= 0;
    schema.maximum ??= LARGE.test(name) ? Number.MAX_SAFE_INTEGER : 2 ** 31 - 1;
  }
}
