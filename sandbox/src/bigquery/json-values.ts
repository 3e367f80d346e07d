import { toDayNumber } from '../clock.ts';
import type { Field } from './schema.ts';
import { isInt64, readFloat, readTimestamp } from './sql/types.ts';

/** Why a row is invalid, in BigQuery's words. */
export class BadValue extends Error {}

type Stored = string | number | bigint | null;

/** A JSON value in its stored form. Numbers may be text. */
export function toStored(field: Field, value: unknown): Stored {
  if (value === null || value === undefined) return null;
  if (field.type === 'JSON') return JSON.stringify(value);
  if (typeof value === 'object')
    throw new BadValue(`Expected a value but got ${Array.isArray(value) ? 'Array' : 'Object'} for field: ${field.name}.`);
  const text = String(value);
  switch (field.type) {
    case 'STRING':
      return text;
    case 'INTEGER':
      return toInteger(field, text);
    case 'FLOAT':
      return readFloat(text) ?? failed(field, 'double', text);
    case 'BOOLEAN':
      return toBoolean(field, text);
    case 'DATE':
      return Number.isNaN(toDayNumber(text)) ? failed(field, 'DATE', text) : text;
    case 'TIMESTAMP':
      if (typeof value === 'number') return BigInt(Math.round(value * 1_000_000));
      return readTimestamp(text) ?? failed(field, 'TIMESTAMP', text);
  }
}

function toInteger(field: Field, text: string): bigint {
  if (!/^\s*[+-]?\d+(?:\.0*)?\s*$/.test(text)) return failed(field, 'int64', text);
  const number = BigInt(text.trim().replace(/\.0*$/, ''));
  return isInt64(number) ? number : failed(field, 'int64', text);
}

function toBoolean(field: Field, text: string): number {
  if (/^(true|t|yes|y|1)$/i.test(text)) return 1;
  return /^(false|f|no|n|0)$/i.test(text) ? 0 : failed(field, 'bool', text);
}

function failed(field: Field, type: string, text: string): never {
  throw new BadValue(`Could not convert value '${text}' to ${type}. Field: ${field.name}; Value: ${text}`);
}
