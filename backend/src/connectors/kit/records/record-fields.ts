import type { RecordValue, SourceRecord } from '../conversion-source.js';

/** Objects that are nested more deeply become JSON text. */
const DEEPEST_LEVEL = 8;
/** A binary floating point number represents every decimal number of this many digits. */
const EXACT_DIGITS = 15;

/** Parses JSON. Numbers that JavaScript cannot hold exactly, such as long ids, become text. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? toExactNumber(context.source) : value,
  );
}

/** A decimal number as a number, or as the given text if a number would change it. */
export function toExactNumber(text: string): number | string {
  const value = Number(text);
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/[^0-9]/g, '')
    .replace(/^0+/, '');
  const isExact =
    Number.isFinite(value) && (digits.length <= EXACT_DIGITS || (Number.isSafeInteger(value) && !/[.eE]/.test(text)));
  return isExact && text.trim() !== '' ? value : text;
}

/** A binary floating point number, which JavaScript holds exactly. Infinity and NaN stay text. */
export function toFloat(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** Adds a parsed value to the record. Objects are flattened: `properties.plan`. Lists become JSON text. */
export function addField(record: SourceRecord, name: string, value: unknown, level = 0): void {
  if (!isObject(value) || level === DEEPEST_LEVEL) {
    record[name] = isPlain(value) ? value : JSON.stringify(value);
    return;
  }
  for (const [key, inner] of Object.entries(value)) addField(record, `${name}.${key}`, inner, level + 1);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlain = (value: unknown): value is RecordValue =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** All field names of the records, in the order of their first appearance. */
export function fieldsOf(records: SourceRecord[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

/** A date and time without a zone, in SQL or ISO form, as ISO text in UTC; null if it is not one. Fractions are cut to milliseconds. */
export function utcText(text: string): string | null {
  const parsed = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2})(\.\d{1,3})?\d*)?(?:\+00(?::?00)?|Z)?$/.exec(text);
  if (!parsed) return null;
  const [, day = '', time = '00:00:00', fraction = ''] = parsed;
  return new Date(`${day}T${time}${fraction}Z`).toISOString();
}
