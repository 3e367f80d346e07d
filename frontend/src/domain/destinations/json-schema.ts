import { isRecord } from '~/lib/is-record';

/** A field from the part of JSON Schema that the connectors' settings use. */
export interface SchemaField {
  name: string;
  title: string;
  description: string | null;
  /** The value of a `list` is the comma-separated names of the selected choices. */
  type: 'string' | 'integer' | 'boolean' | 'list';
  choices: string[] | null;
  /** The label of each choice; without one, the form shows the choice itself. */
  choiceTitles: Record<string, string>;
  isSecret: boolean;
  /** Several lines of SQL. */
  isSql: boolean;
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

const titleFromName = (name: string): string => {
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

/** `enumTitles` is an extension of JSON Schema: the labels of the `enum` values. */
const choiceTitlesOf = ({ enumTitles }: Record<string, unknown>): Record<string, string> =>
  isRecord(enumTitles) ? Object.fromEntries(Object.entries(enumTitles).map(([choice, title]) => [choice, String(title)])) : {};

/** The form value of a setting: its text; for a list, the comma-separated names. */
const toText = (value: unknown): string =>
  value === undefined || value === null ? '' : Array.isArray(value) ? value.map(String).join(',') : String(value);

/** The names in a `list` value. */
export const listOf = (value: string): string[] => value.split(',').filter((name) => name !== '');

function toField(name: string, property: Record<string, unknown>, required: unknown[]): SchemaField {
  const examples = Array.isArray(property.examples) ? property.examples : [];
  return {
    name,
    title: text(property.title) ?? titleFromName(name),
    description: text(property.description),
    type: typeOf(property),
    choices: choicesOf(property),
    choiceTitles: choiceTitlesOf(property),
    isSecret: property.format === 'password' || property.writeOnly === true,
    isSql: property.format === 'sql',
    bindsCredentials: property.bindsCredentials === true,
    isRequired: required.includes(name),
    fallback: toText(property.default),
    example: text(examples[0]),
    minimum: number(property.minimum),
    maximum: number(property.maximum),
    pattern: text(property.pattern),
  };
}

/** The fields of a form, in the order of the schema. */
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

function requiredText({ title, choices }: SchemaField): string {
  const noun = /^.[A-Z]/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
  const article = /^(?:[aeio]|u(?!s))/i.test(title) ? 'an' : 'a';
  return `${choices ? 'Choose' : 'Enter'} ${article} ${noun}`;
}

/** The error message of a value; null when it is valid. */
export function fieldError(field: SchemaField, value: string): string | null {
  const given = value.trim();
  if (given === '') return field.isRequired ? requiredText(field) : null;
  if (field.type === 'integer') {
    if (!/^\d+$/.test(given)) return 'Enter a whole number';
    const amount = Number(given);
    if (field.minimum !== null && amount < field.minimum) return `Enter at least ${field.minimum}`;
    if (field.maximum !== null && amount > field.maximum) return `Enter at most ${field.maximum}`;
  }
  if (field.pattern !== null && !new RegExp(field.pattern, 'u').test(given)) return `${field.title} has an invalid format`;
  return null;
}

export type PayloadValue = string | number | boolean | string[];

/** Converts the form's texts to the types of the schema. Empty optional fields are omitted. */
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
