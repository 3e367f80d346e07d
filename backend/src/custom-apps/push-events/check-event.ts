import { type EventSchema, type FieldError, FORMATS, type FormatName, type TypeName } from './event-schema.js';

/** Errors reported per event. More are not useful. */
const MAX_ERRORS = 10;
const MAX_FIELD_CHARACTERS = 200;
const MAX_SHOWN_CHARACTERS = 200;
/** Longer strings fail every format check. Real e-mail addresses and URLs are shorter. */
const MAX_FORMAT_CHARACTERS = 2_048;

/** Collects validation errors of one event. Validation stops when `isFull`. */
class Violations {
  readonly list: FieldError[] = [];

  get isFull(): boolean {
    return this.list.length >= MAX_ERRORS;
  }

  add(path: string, message: string): void {
    if (this.isFull) return;
    const field = (path || 'event').slice(0, MAX_FIELD_CHARACTERS);
    this.list.push({ field, message: `${field} ${message}` });
  }
}

/** A compiled schema: allowed values as sets, error messages prepared once for all events. */
interface Check {
  types: ReadonlySet<TypeName> | null;
  typesText: string;
  /** As JSON, so that numbers, texts and lists are compared in the same way. */
  values: ReadonlySet<string> | null;
  valuesText: string;
  format: FormatName | null;
  minimum: number;
  maximum: number;
  minLength: number;
  maxLength: number;
  minItems: number;
  maxItems: number;
  items: Check | null;
  required: ReadonlySet<string>;
  properties: ReadonlyMap<string, Check>;
  isClosed: boolean;
}

export type EventCheck = (event: unknown) => FieldError[];

/** Compiles a schema into a function that returns the errors of an event, such as `value must be a number`. */
export function compileSchema(schema: EventSchema): EventCheck {
  const check = compile(schema);
  return (event) => {
    const violations = new Violations();
    checkValue(check, event, '', violations);
    return violations.list;
  };
}

function compile(schema: EventSchema): Check {
  const types = schema.type === undefined ? null : [schema.type].flat();
  const values = valuesOf(schema);
  return {
    types: types && new Set(types),
    typesText: `must be ${(types ?? []).map(withArticle).join(' or ')}`,
    values: values ? new Set(values.map((value) => JSON.stringify(value))) : null,
    valuesText: `must be ${'const' in schema ? '' : 'one of '}${shown(values ?? [])}`,
    format: schema.format ?? null,
    minimum: schema.minimum ?? -Infinity,
    maximum: schema.maximum ?? Infinity,
    minLength: schema.minLength ?? 0,
    maxLength: schema.maxLength ?? Infinity,
    minItems: schema.minItems ?? 0,
    maxItems: schema.maxItems ?? Infinity,
    items: schema.items ? compile(schema.items) : null,
    required: new Set(schema.required),
    properties: new Map(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, compile(inner)])),
    isClosed: schema.additionalProperties === false,
  };
}

function valuesOf(schema: EventSchema): unknown[] | undefined {
  if (!('const' in schema)) return schema.enum;
  const constant = JSON.stringify(schema.const);
  return !schema.enum || schema.enum.some((value) => JSON.stringify(value) === constant) ? [schema.const] : [];
}

const withArticle = (type: TypeName): string => (type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`);

const shown = (values: unknown[]): string =>
  values
    .map((value) => JSON.stringify(value))
    .join(', ')
    .slice(0, MAX_SHOWN_CHARACTERS);

const typeOf = (value: unknown): TypeName => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value as TypeName;
};

const isOfType = (value: unknown, types: ReadonlySet<TypeName>): boolean => {
  const type = typeOf(value);
  return types.has(type) || (type === 'integer' && types.has('number'));
};

function checkValue(check: Check, value: unknown, path: string, violations: Violations): void {
  if (violations.isFull) return;
  if (check.types && !isOfType(value, check.types)) return violations.add(path, check.typesText);
  if (check.values && !check.values.has(JSON.stringify(value))) violations.add(path, check.valuesText);
  if (typeof value === 'string') checkText(check, value, path, violations);
  else if (typeof value === 'number') checkNumber(check, value, path, violations);
  else if (Array.isArray(value)) checkList(check, value, path, violations);
  else if (value !== null && typeof value === 'object') checkObject(check, value as Record<string, unknown>, path, violations);
}

function checkText({ format, minLength, maxLength }: Check, text: string, path: string, violations: Violations): void {
  if (minLength > 0 || maxLength < Infinity) {
    const length = [...text].length;
    if (length < minLength) violations.add(path, `must have at least ${minLength} characters`);
    if (length > maxLength) violations.add(path, `must have at most ${maxLength} characters`);
  }
  if (format && (text.length > MAX_FORMAT_CHARACTERS || !FORMATS[format].safeParse(text).success))
    violations.add(path, `must be a ${format}`);
}

function checkNumber({ minimum, maximum }: Check, value: number, path: string, violations: Violations): void {
  if (value < minimum) violations.add(path, `must be at least ${minimum}`);
  if (value > maximum) violations.add(path, `must be at most ${maximum}`);
}

function checkList({ items, minItems, maxItems }: Check, list: unknown[], path: string, violations: Violations): void {
  if (list.length < minItems) violations.add(path, `must have at least ${minItems} items`);
  if (list.length > maxItems) violations.add(path, `must have at most ${maxItems} items`);
  if (!items) return;
  for (const [index, item] of list.entries()) {
    if (violations.isFull) return;
    checkValue(items, item, at(path, String(index)), violations);
  }
}

/** Iterates over the fields of the event and not of the schema, so that a long schema costs little for a small event. */
function checkObject(check: Check, value: Record<string, unknown>, path: string, violations: Violations): void {
  for (const name of check.required) {
    if (violations.isFull) return;
    if (!Object.hasOwn(value, name)) violations.add(at(path, name), 'is missing');
  }
  for (const [name, inner] of Object.entries(value)) {
    if (violations.isFull) return;
    const property = check.properties.get(name);
    if (property) checkValue(property, inner, at(path, name), violations);
    else if (check.isClosed) violations.add(at(path, name), 'is unknown');
  }
}

const at = (path: string, name: string): string => (path ? `${path}.${name}` : name);
