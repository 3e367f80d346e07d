import { z } from 'zod';

/**
 * What of JSON Schema a pushed event can be held to. Left out on purpose: `pattern`, for a pattern of somebody else's can keep a
 * process busy for minutes, and `$ref`, for nothing outside is fetched.
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
type TypeName = (typeof TYPES)[number];

const FORMATS = {
  date: z.iso.date(),
  'date-time': z.iso.datetime({ offset: true }),
  email: z.email(),
  uuid: z.uuid(),
  uri: z.url(),
};
type FormatName = keyof typeof FORMATS;

/** Bytes of a schema as JSON. */
const MOST_BYTES = 20_000;
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

export interface FieldError {
  field: string;
  message: string;
}

/** What keeps a text from being a schema of events; none: it is one. */
export function errorsOfSchema(schema: Record<string, unknown>): FieldError[] {
  if (Buffer.byteLength(JSON.stringify(schema)) > MOST_BYTES)
    return [{ field: 'schema', message: `schema must be at most ${MOST_BYTES} bytes` }];
  const parsed = eventSchema.safeParse(schema);
  if (!parsed.success) {
    return parsed.error.issues.slice(0, 20).map(({ path, message }) => {
      const field = ['schema', ...path].join('.');
      return { field, message: `${field}: ${message}` };
    });
  }
  const isOfObjects = parsed.data.type === undefined || parsed.data.type === 'object';
  return isOfObjects ? [] : [{ field: 'schema.type', message: 'schema.type must be object: an event is one' }];
}

const typeOf = (value: unknown): TypeName => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value as TypeName;
};

const isOfType = (value: unknown, types: TypeName[]): boolean => {
  const type = typeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
};

const withArticle = (type: TypeName): string => (type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const shown = (values: unknown[]): string =>
  values
    .map((value) => JSON.stringify(value))
    .join(', ')
    .slice(0, 200);

/** Where an event differs from its schema, in words: `value must be a number`. */
export function violationsOf(schema: EventSchema, value: unknown, path = ''): FieldError[] {
  const field = path || 'event';
  const wrong = (message: string): FieldError => ({ field, message: `${field} ${message}` });
  const types = schema.type === undefined ? null : [schema.type].flat();
  if (types && !isOfType(value, types)) return [wrong(`must be ${types.map(withArticle).join(' or ')}`)];
  const own = [
    ...(schema.enum && !schema.enum.some((one) => isSame(one, value)) ? [wrong(`must be one of ${shown(schema.enum)}`)] : []),
    ...('const' in schema && !isSame(schema.const, value) ? [wrong(`must be ${shown([schema.const])}`)] : []),
  ];
  if (typeof value === 'string') return [...own, ...violationsOfText(schema, value).map(wrong)];
  if (typeof value === 'number') return [...own, ...violationsOfNumber(schema, value).map(wrong)];
  if (Array.isArray(value)) return [...own, ...violationsOfList(schema, value, path, wrong)];
  if (value !== null && typeof value === 'object')
    return [...own, ...violationsOfObject(schema, value as Record<string, unknown>, path)];
  return own;
}

function violationsOfText({ format, minLength, maxLength }: EventSchema, text: string): string[] {
  const length = [...text].length;
  return [
    ...(minLength !== undefined && length < minLength ? [`must have at least ${minLength} characters`] : []),
    ...(maxLength !== undefined && length > maxLength ? [`must have at most ${maxLength} characters`] : []),
    ...(format && !FORMATS[format].safeParse(text).success ? [`must be a ${format}`] : []),
  ];
}

const violationsOfNumber = ({ minimum, maximum }: EventSchema, value: number): string[] => [
  ...(minimum !== undefined && value < minimum ? [`must be at least ${minimum}`] : []),
  ...(maximum !== undefined && value > maximum ? [`must be at most ${maximum}`] : []),
];

function violationsOfList(
  { items, minItems, maxItems }: EventSchema,
  list: unknown[],
  path: string,
  wrong: (message: string) => FieldError,
): FieldError[] {
  return [
    ...(minItems !== undefined && list.length < minItems ? [wrong(`must have at least ${minItems} items`)] : []),
    ...(maxItems !== undefined && list.length > maxItems ? [wrong(`must have at most ${maxItems} items`)] : []),
    ...(items ? list.flatMap((item, index) => violationsOf(items, item, `${path ? `${path}.` : ''}${index}`)) : []),
  ];
}

function violationsOfObject(schema: EventSchema, value: Record<string, unknown>, path: string): FieldError[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const at = (name: string): string => (path ? `${path}.${name}` : name);
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const unknown = additionalProperties === false ? Object.keys(value).filter((name) => !Object.hasOwn(properties, name)) : [];
  return [
    ...missing.map((name) => ({ field: at(name), message: `${at(name)} is missing` })),
    ...unknown.map((name) => ({ field: at(name), message: `${at(name)} is not known` })),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      Object.hasOwn(value, name) ? violationsOf(inner, value[name], at(name)) : [],
    ),
  ];
}
