import { z } from 'zod';

export interface FieldError {
  field: string;
  message: string;
}

/**
 * The supported part of JSON Schema. Intentionally without `pattern`, because a user's pattern can block a process for minutes,
 * and without `$ref`, because nothing external is fetched.
 */
export interface EventSchema {
  $schema?: string;
  title?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  type?: TypeName | TypeName[];
  properties?: Record<string, EventSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: EventSchema;
  enum?: unknown[];
  const?: unknown;
  format?: FormatName;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
export type TypeName = (typeof TYPES)[number];

export const FORMATS = {
  date: z.iso.date(),
  'date-time': z.iso.datetime({ offset: true }),
  email: z.email(),
  uuid: z.uuid(),
  uri: z.url(),
};
export type FormatName = keyof typeof FORMATS;

/** Bytes of a schema as JSON. */
const MAX_BYTES = 20_000;
/** Every event is validated against all of them, so these limits bound the cost of an event. */
const MAX_LEVELS = 10;
const MAX_PROPERTIES = 200;
const MAX_REQUIRED = 200;
const MAX_VALUES = 1_000;
const MAX_MESSAGE_CHARACTERS = 500;
const count = z.int().min(0);
const typeName = z.enum(TYPES);

const eventSchema: z.ZodType<EventSchema> = z.lazy(() =>
  z
    .strictObject({
      $schema: z.string(),
      title: z.string(),
      description: z.string(),
      default: z.unknown(),
      examples: z.array(z.unknown()),
      type: z.union([typeName, z.array(typeName).min(1)]),
      properties: z.record(z.string(), eventSchema),
      required: z.array(z.string()),
      additionalProperties: z.boolean(),
      items: eventSchema,
      enum: z.array(z.unknown()).min(1),
      const: z.unknown(),
      format: z.enum(Object.keys(FORMATS) as [FormatName, ...FormatName[]]),
      minimum: z.number(),
      maximum: z.number(),
      minLength: count,
      maxLength: count,
      minItems: count,
      maxItems: count,
    })
    .partial(),
);

/** Errors of a schema of events; empty if it is valid. */
export function errorsOfSchema(schema: Record<string, unknown>): FieldError[] {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_BYTES)
    return [{ field: 'schema', message: `schema must be at most ${MAX_BYTES} bytes` }];
  const parsed = eventSchema.safeParse(schema);
  if (!parsed.success) {
    return parsed.error.issues.slice(0, 20).map(({ path, message }) => {
      const field = ['schema', ...path].join('.');
      return { field, message: `${field}: ${message.slice(0, MAX_MESSAGE_CHARACTERS)}` };
    });
  }
  const isOfObjects = parsed.data.type === undefined || parsed.data.type === 'object';
  if (!isOfObjects) return [{ field: 'schema.type', message: 'schema.type must be object' }];
  return errorsOfSize(sizeOf(parsed.data));
}

interface SchemaSize {
  levels: number;
  properties: number;
  required: number;
  values: number;
}

/** Size of a schema over all levels. */
function sizeOf({ properties = {}, items, required = [], enum: values = [] }: EventSchema): SchemaSize {
  const inner = [...Object.values(properties), ...(items ? [items] : [])].map(sizeOf);
  const sum = (own: number, of: (size: SchemaSize) => number) => inner.reduce((total, size) => total + of(size), own);
  return {
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
    properties: sum(Object.keys(properties).length, (size) => size.properties),
    required: sum(required.length, (size) => size.required),
    values: sum(values.length, (size) => size.values),
  };
}

const errorsOfSize = (size: SchemaSize): FieldError[] =>
  (
    [
      [size.levels, MAX_LEVELS, 'levels'],
      [size.properties, MAX_PROPERTIES, 'properties'],
      [size.required, MAX_REQUIRED, 'required fields'],
      [size.values, MAX_VALUES, 'values in enums'],
    ] as const
  )
    .filter(([actual, most]) => actual > most)
    .map(([, most, what]) => ({ field: 'schema', message: `schema must have at most ${most} ${what} in total` }));
