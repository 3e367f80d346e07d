import { isRecord } from '~/lib/is-record';

/** The part of JSON Schema that settings of connectors are written in. */
export interface SchemaField {
  name: string;
  title: string;
  description: string | null;
  /** A `list` is any number of its choices; its value is their names with commas between. */
  type: 'string' | 'integer' | 'boolean' | 'list';
  choices: string[] | null;
  /** What a choice is called in the form; without a name of its own it stands for itself. */
  choiceTitles: Record<string, string>;
  isSecret: boolean;
  /** Part of the credential target: when it changes, the credentials must be entered again. */
  bindsCredentials: boolean;
  isRequired: boolean;
  fallback: string;
  example: string | null;
  minimum: number | null;
  maximum: number | null;
  pattern: string | null;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const inWords = (name: string): string => {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function typeOf({ type, items }: Record<string, unknown>): SchemaField['type'] {
  if (type === 'integer' || type === 'number') return 'integer';
  if (type === 'boolean') return 'boolean';
  return type === 'array' && isRecord(items) && Array.isArray(items.enum) ? 'list' : 'string';
}

function choicesOf({ enum: own, items }: Record<string, unknown>): string[] | null {
  const choices = Array.isArray(own) ? own : isRecord(items) ? items.enum : null;
  return Array.isArray(choices) ? choices.map(String) : null;
}

/** `enumTitles` is our own keyword beside `enum`: the names of its values. */
const choiceTitlesOf = ({ enumTitles }: Record<string, unknown>): Record<string, string> =>
  isRecord(enumTitles) ? Object.fromEntries(Object.entries(enumTitles).map(([choice, title]) => [choice, String(title)])) : {};

/** What a form shows of a value: its text, and of a list its names. */
const toText = (value: unknown): string =>
  value === undefined || value === null ? '' : Array.isArray(value) ? value.map(String).join(',') : String(value);

/** The names in the value of a `list`. */
export const listOf = (value: string): string[] => value.split(',').filter((name) => name !== '');

function toField(name: string, property: Record<string, unknown>, required: unknown[]): SchemaField {
  const examples = Array.isArray(property.examples) ? property.examples : [];
  return {
    name,
    title: text(property.title) ?? inWords(name),
    description: text(property.description),
    type: typeOf(property),
    choices: choicesOf(property),
    choiceTitles: choiceTitlesOf(property),
    isSecret: property.format === 'password' || property.writeOnly === true,
    bindsCredentials: property.bindsCredentials === true,
    isRequired: required.includes(name),
    fallback: toText(property.default),
    example: text(examples[0]),
    minimum: number(property.minimum),
    maximum: number(property.maximum),
    pattern: text(property.pattern),
  };
}

/** The fields a form is drawn from, in the order the schema names them. */
export function fieldsOf(schema: object | null): SchemaField[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([name, property]) =>
    isRecord(property) ? [toField(name, property, required)] : [],
  );
}

export type FieldValues = Record<string, string>;

export const initialValues = (fields: SchemaField[], given: Record<string, unknown> = {}): FieldValues =>
  Object.fromEntries(
    fields.map(({ name, fallback }) => [
      name,
      given[name] === undefined || given[name] === null ? fallback : toText(given[name]),
    ]),
  );

/** What is wrong with a value, in words; null when nothing is. */
export function fieldError(field: SchemaField, value: string): string | null {
  const given = value.trim();
  if (given === '') return field.isRequired ? `${field.title} is needed` : null;
  if (field.type === 'integer') {
    if (!/^\d+$/.test(given)) return 'A whole number';
    const amount = Number(given);
    if (field.minimum !== null && amount < field.minimum) return `At least ${field.minimum}`;
    if (field.maximum !== null && amount > field.maximum) return `At most ${field.maximum}`;
  }
  if (field.pattern !== null && !new RegExp(field.pattern, 'u').test(given)) return `${field.title} is not in the right form`;
  return null;
}

export type PayloadValue = string | number | boolean | string[];

/** Text of the form back into what the schema describes; empty optional fields are left out. */
export function toPayload(fields: SchemaField[], values: FieldValues): Record<string, PayloadValue> {
  const entries = fields.flatMap((field): [string, PayloadValue][] => {
    if (field.type === 'list') return [[field.name, listOf(values[field.name] ?? '')]];
    const value = field.isSecret ? (values[field.name] ?? '') : (values[field.name] ?? '').trim();
    if (value === '' && !(field.type === 'string' && !field.isSecret && field.fallback === '' && field.isRequired)) return [];
    if (field.type === 'integer') return [[field.name, Number(value)]];
    if (field.type === 'boolean') return [[field.name, value === 'true']];
    return [[field.name, value]];
  });
  return Object.fromEntries(entries);
}
