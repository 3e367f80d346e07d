import type { OpenAPIObject } from '@nestjs/swagger';
import { hasType, listOperations, type MediaType, type Parameter, type Schema, schemasOf } from './schema.js';

const ID = '0192f0c1-7a5e-7c3a-9f1e-5b8f6a2d4c10';

/** The smallest possible PNG. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Example values by property name. Other examples follow from type and format. */
const BY_NAME: Record<string, unknown> = {
  accountId: '9001000011',
  accountName: 'Northwind Search',
  accountIds: ['9001000011'],
  action: 'Reconnect the app',
  appName: 'Google Ads',
  atTime: '06:00',
  notBefore: '06:00',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth?state=eyJhbGciOi',
  build: '0.1.0',
  companyName: 'Northwind',
  organizationName: 'Northwind',
  company_name: 'Northwind',
  cron: '30 6 * * 1-5',
  credentialHint: 'tributary_writer',
  currency: 'EUR',
  cursor: 'WyIyMDI2LTExLTE5Il0',
  customerId: 'cus_Nffr5kP2',
  customerIdType: 'email',
  secret: 'whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH',
  credentials: { password: 'a-long-password' },
  database: 'warehouse',
  defaultCountry: 'DE',
  displayName: 'Google Ads of Northwind',
  everyMinutes: 60,
  expiresAt: '2027-11-19T06:00:12.000Z',
  externalId: '9001000011',
  fullName: 'The owner',
  healthReason: 'All days are synced and verified.',
  host: 'warehouse.example.com',
  limit: 50,
  logo: `/api/v1/logos/${ID}`,
  company_logo: LOGO,
  organizationLogo: `/api/v1/logos/${ID}`,
  lookbackDays: 30,
  managerId: '9001000001',
  mapping: { id: { field: 'orderId' }, occurredAt: { field: 'createdAt' }, email: { field: 'email' }, currency: { value: 'EUR' } },
  method: 'GET',
  name: 'Search',
  photoURL: 'https://example.com/owner.png',
  port: 5432,
  productName: 'Tributary',
  providerRequestId: 'kX3v0m5Qe1bT',
  returnTo: '/organizations',
  schema: 'ads',
  search: 'search',
  settings: { host: 'warehouse.example.com', port: 5432, database: 'warehouse', schema: 'ads', user: 'tributary_writer', sslMode: 'verify-full', tablePrefix: '' },
  since: '2026-11-19T06:00:12.000Z',
  stream: 'campaign_daily',
  streams: ['campaign_daily'],
  success: true,
  table: 'campaign_daily',
  tablePrefix: '',
  target: 'warehouse.ads',
  targetTable: 'campaign_daily',
  timeZone: 'Europe/Berlin',
  token: 'Zk9xQ2tJd0V5bTJhV3BvN0hRc1R1VjR4TGJGZ0RrYzE',
  uid: 'pQ0vX2sYb1Zr8mJtK4cN6dHfG3a2',
  userId: 'pQ0vX2sYb1Zr8mJtK4cN6dHfG3a2',
  memberId: 'pQ0vX2sYb1Zr8mJtK4cN6dHfG3a2',
  url: 'https://googleads.googleapis.com/v26/customers/9001000011/googleAds:searchStream',
  user: 'tributary_writer',
}; // prettier-ignore

/** Enum values that show the usual case. */
const ORDINARY =
  /^(succeeded|success|healthy|ready|connected|active|final|passed|done|enabled|ok|editor|user|daily|oauth2|google_ads|postgresql|scheduled|organization|info|source|text|advertising|true|verify-full|mail|in_review|resend|equals|replace|pause|expect_rows|last_30_days|open|create|pending|stream_added|lost)$/;

/** Adds an example to every parameter, body and response, based on its schema. `make check` validates each example. */
export function addExamples(document: OpenAPIObject): void {
  const schemas = schemasOf(document);
  for (const { operation } of listOperations(document)) {
    for (const parameter of (operation.parameters ?? []) as Parameter[])
      parameter.example ??= exampleOf(parameter.schema, parameter.name, schemas);
    const body = operation.requestBody as { content?: Record<string, MediaType> } | undefined;
    const answers = Object.values(operation.responses) as { content?: Record<string, MediaType> }[];
    for (const { content } of [...(body ? [body] : []), ...answers]) {
      for (const media of Object.values(content ?? {}))
        if (media.schema && !media.examples) media.example ??= exampleOf(media.schema, '', schemas);
    }
  }
}

function exampleOf(schema: Schema, name: string, schemas: Record<string, Schema>): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name, schemas);
  const choice = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0];
  if (choice) return exampleOf(choice, name, schemas);
  if (schema.enum)
    return schema.enum.find((value) => ORDINARY.test(String(value))) ?? schema.enum.find((value) => value !== null);
  if (schema.properties) return objectExample(schema.properties, schemas);
  if (name in BY_NAME && fits(schema, BY_NAME[name])) return BY_NAME[name];
  if (schema.items) return [exampleOf(schema.items, name, schemas)];
  if (typeof schema.additionalProperties === 'object') return { healthy: exampleOf(schema.additionalProperties, '', schemas) };
  return plainExample(schema, name);
}

const objectExample = (properties: Record<string, Schema>, schemas: Record<string, Schema>): object =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema, name, schemas)]));

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
/** A property name can have different types in different schemas. */
const fits = (schema: Schema, value: unknown): boolean =>
  (hasType(schema, typeOf(value)) && (!schema.items || hasType(schema.items, 'string'))) ||
  (typeof value === 'number' && hasType(schema, 'integer'));

const OF_FORMAT: Record<string, string> = {
  uuid: ID,
  email: 'owner@example.com',
  uri: 'https://example.com',
  date: '2026-11-19',
  'date-time': '2026-11-19T06:00:12.000Z',
};

function plainExample(schema: Schema, name: string): unknown {
  if (hasType(schema, 'boolean')) return true;
  if (hasType(schema, 'integer') || hasType(schema, 'number')) return schema.default ?? schema.minimum ?? 1;
  if (hasType(schema, 'object')) return {};
  if (schema.format && OF_FORMAT[schema.format]) return OF_FORMAT[schema.format];
  if (/[mM]icros/.test(name)) return '12500000';
  return /[uU]rl$/.test(name) ? 'https://example.com' : name || 'text';
}
