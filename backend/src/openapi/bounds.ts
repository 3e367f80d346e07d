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

/** Ids of Firebase, providers and Stripe. */
const EXTERNAL_IDS =
  /^(userId|user_id|inviter_user_id|memberId|accountId|externalId|managerId|customerId|sessionId|projectId|requestId|providerRequestId|actorId|orderId|clickId)$/;
/** Default maximum length of a text in a response, such as a log line or a stream description. */
const TEXT_MAX_LENGTH = 10_000;
const PAGE_MAX_ITEMS = 100;

/** Formats by property name: times end in At, ids in Id, and money is in micros. */
const BY_NAME: [RegExp, Partial<Schema>][] = [
  // The target of an audit event can also be a user or a permission.
  [/^AuditTarget\.id$/, { maxLength: 128 }],
  [/^SampledPaymentEvent\.(eventId|originalEventId)$/, { maxLength: 128 }],
  [/^(earliestDataAt|latestDataAt)$/, { format: 'date', maxLength: 10 }],
  [/(^at$|At$|^asOf$|^currentPeriodEnd$)/, { format: 'date-time', maxLength: 30 }],
  [/^(day|date|from|to|historyFrom|completeThrough|lastEventDay)$/, { format: 'date', maxLength: 10 }],
  [/^atTime$/, { maxLength: 5 }],
  [EXTERNAL_IDS, { maxLength: 128 }],
  [/(^id|Id|_id)$/, { format: 'uuid', maxLength: 36 }],
  [/[mM]icros/, { pattern: '^-?\\d+$', maxLength: 20 }],
  [/(^email|Email|_email)$/, { format: 'email', maxLength: 320 }],
  [/^(logo|company_logo|organizationLogo)$/, { maxLength: 100 }],
  [/^timeZone$/, { maxLength: 64 }],
  [/^currency$/, { pattern: '^[A-Z]{3}$', maxLength: 3 }],
];

/** Numbers with fractions. */
const FRACTIONS = /^(rowsPerSecond|minutes|conversions(Read|Found)?)$/;
/** Amounts in the smallest unit of a currency. */
const MONEY = /Minor$/;
/** Refunds are negative. */
const SIGNED = /^(PaymentRevenue|SampledPaymentEvent)\.\w+Minor$/;
/** Numbers that exceed 2^31. */
const LARGE =
  /^(rows|clicks|impressions|bytes|rows(Read|Written|Rejected|Expected|Found|Missing|Extra|ThisMonth|PerMonth)|(clicks|impressions)(Read|Found)|quotaWaitMs|durationMs|all)$/;

/** Adds formats and bounds to all schemas, so that clients can validate requests and responses. */
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

/** A streamed file has no maximum length, so the schema states the largest possible one. */
function boundFile(type: string, schema: Schema): void {
  if (!type.includes('json') && hasType(schema, 'string')) schema.maxLength ??= 2 ** 31 - 1;
}

const UUID = { format: 'uuid', maxLength: 36 };

/** Handlers that get the organization from the guard do not declare its path parameter. */
function withPathParameters(path: string, given: Parameter[]): Parameter[] {
  const missing = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !given.some((parameter) => parameter.name === name));
  return [...missing.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })), ...given];
}

/** @param place `Schema.property`, or the name of a parameter */
function addBound(schema: Schema, place: string, isPage: boolean): void {
  const name = place.split('.').at(-1) ?? '';
  if (hasType(schema, 'string') && !schema.enum) boundText(schema, place, name);
  if (hasType(schema, 'number')) boundNumber(schema, place, name);
  if (hasType(schema, 'array')) schema.maxItems ??= isPage && name === 'items' ? PAGE_MAX_ITEMS : MAX_ITEMS[place];
  // Requests and responses contain no undocumented fields.
  if (schema.properties) schema.additionalProperties ??= false;
}

function boundText(schema: Schema, place: string, name: string): void {
  // Fields of requests are validated by their own rules, so a format by name applies to them only for days.
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

function boundNumber(schema: Schema, place: string, name: string): void {
  if (FRACTIONS.test(name)) schema.format = 'double';
  else {
    schema.type = Array.isArray(schema.type) ? schema.type.map((type) => (type === 'number' ? 'integer' : type)) : 'integer';
    const isLarge = MONEY.test(name) || LARGE.test(name);
    schema.format = isLarge ? 'int64' : 'int32';
    // Only money is negative, and numbers above 2^53 are sent as text.
    schema.minimum ??= SIGNED.test(place) ? -Number.MAX_SAFE_INTEGER : 0;
    schema.maximum ??= isLarge ? Number.MAX_SAFE_INTEGER : 2 ** 31 - 1;
  }
}
