import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_VALUES, ID, OMITTED } from './example-values.js';
import { hasType, listOperations, type MediaType, type Parameter, type Schema, schemasOf } from './schema.js';

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

/** @param owner name of the schema that has the property; empty for parameters and inline schemas */
function exampleOf(schema: Schema, name: string, schemas: Record<string, Schema>, owner = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  const referred = schema.$ref?.split('/').at(-1);
  if (referred !== undefined) return exampleOf(schemas[referred] ?? {}, name, schemas, referred);
  const choice = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0];
  if (choice) return exampleOf(choice, name, schemas, owner);
  if (schema.enum)
    return schema.enum.find((value) => ORDINARY.test(String(value))) ?? schema.enum.find((value) => value !== null);
  if (schema.properties) return objectExample(schema.properties, schemas, owner);
  const value = [`${owner}.${name}`, name].map((key) => EXAMPLE_VALUES[key]).find((known) => known !== undefined);
  if (value !== undefined && fits(schema, value)) return value;
  if (schema.items) return [exampleOf(schema.items, name, schemas, owner)];
  if (typeof schema.additionalProperties === 'object') return { healthy: exampleOf(schema.additionalProperties, '', schemas) };
  return plainExample(schema, name);
}

const objectExample = (properties: Record<string, Schema>, schemas: Record<string, Schema>, owner: string): object =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !OMITTED.has(`${owner}.${name}`))
      .map(([name, schema]) => [name, exampleOf(schema, name, schemas, owner)]),
  );

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
/** A property name can have different types and formats in different schemas. */
const fits = (schema: Schema, value: unknown): boolean =>
  (schema.format !== 'uuid' || value === ID) &&
  ((hasType(schema, typeOf(value)) && hasTextItems(schema)) || (typeof value === 'number' && hasType(schema, 'integer')));

const hasTextItems = ({ items }: Schema): boolean => !items || (hasType(items, 'string') && !items.enum);

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
