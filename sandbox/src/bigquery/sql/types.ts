import { toDayNumber } from '../../clock.ts';
import { SqlError } from './sql-error.ts';

/** NUMERIC holds whole numbers alone here. `NULL` is the type of a bare NULL, which fits everywhere. */
export type SqlType = 'INT64' | 'NUMERIC' | 'FLOAT64' | 'STRING' | 'BOOL' | 'DATE' | 'TIMESTAMP' | 'JSON' | 'NULL';

/** How each type lies in SQLite: a date as its text, a moment as microseconds since 1970. */
export const storageTypes: Record<Exclude<SqlType, 'NULL' | 'NUMERIC'>, 'INTEGER' | 'REAL' | 'TEXT'> = {
  INT64: 'INTEGER',
  FLOAT64: 'REAL',
  STRING: 'TEXT',
  BOOL: 'INTEGER',
  DATE: 'TEXT',
  TIMESTAMP: 'INTEGER',
  JSON: 'TEXT',
};

/** An expression as SQLite writes it. */
export interface Typed {
  sql: string;
  type: SqlType;
  /** Literals and parameters turn into dates and moments by themselves, columns do not. */
  isConstantText?: boolean;
}

const maximumInt64 = 2n ** 63n - 1n;

export function isInt64(value: bigint): boolean {
  return value <= maximumInt64 && value >= -maximumInt64 - 1n;
}

export function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A constant of a type out of its text; throws what BigQuery says of a text that is none. */
export function constant(type: SqlType, text: string, at: number): Typed {
  const bad = (what: string): SqlError => new SqlError(`${what}${type === 'STRING' ? '' : `: ${text}`}`, { at });
  if (type === 'NULL') return { sql: 'NULL', type };
  if (type === 'STRING' || type === 'JSON') return { sql: textLiteral(text), type, isConstantText: type === 'STRING' };
  if (type === 'BOOL') return { sql: text.toUpperCase() === 'TRUE' ? '1' : '0', type };
  if (type === 'DATE') {
    if (Number.isNaN(toDayNumber(text))) throw bad('Invalid date');
    return { sql: textLiteral(text), type };
  }
  if (type === 'TIMESTAMP') {
    const micros = readTimestamp(text);
    if (micros === null) throw bad('Invalid timestamp');
    return { sql: String(micros), type };
  }
  if (type === 'INT64') {
    if (!/^[+-]?\d+$/.test(text) || !isInt64(BigInt(text))) throw bad('Invalid integer literal');
    // The smallest of all has no positive counterpart that could be negated.
    return { sql: BigInt(text) === -maximumInt64 - 1n ? '(-9223372036854775807 - 1)' : String(BigInt(text)), type };
  }
  const value = readFloat(text);
  if (value === null) throw bad('Invalid floating point literal');
  return { sql: realLiteral(value), type };
}

/** SQLite takes a number without a point for an integer, and knows no word for infinity. */
function realLiteral(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999';
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

export function readFloat(text: string): number | null {
  const word = /^([+-]?)inf(?:inity)?$/i.exec(text.trim());
  if (word) return word[1] === '-' ? -Infinity : Infinity;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : null;
}

/** Microseconds since 1970; null when the text is no moment. Without a zone it is UTC. */
export function readTimestamp(text: string): bigint | null {
  const pattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6})\d*)?)?\s*(UTC|Z|[+-]\d{2}(?::?\d{2})?)?$/;
  const [whole, date = '', time = '00:00:00', fraction = '', zone = 'Z'] = pattern.exec(text.trim()) ?? [];
  if (whole === undefined || Number.isNaN(toDayNumber(date))) return null;
  const offset = zone === 'UTC' ? 'Z' : zone.length === 3 ? `${zone}:00` : zone;
  const milliseconds = Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(milliseconds) ? null : BigInt(milliseconds) * 1_000n + BigInt(fraction.padEnd(6, '0') || '0');
}

export function isNumber(type: SqlType): boolean {
  return type === 'INT64' || type === 'NUMERIC' || type === 'FLOAT64' || type === 'NULL';
}

/** The type both sides turn into, or null where BigQuery has no such rule. */
export function commonType(left: SqlType, right: SqlType): SqlType | null {
  if (left === right || right === 'NULL') return left;
  if (left === 'NULL') return right;
  return isNumber(left) && isNumber(right) ? 'FLOAT64' : null;
}

/** The value as that type, or null where it does not turn into it by itself. */
export function coerce(value: Typed, type: SqlType, at: number): Typed | null {
  if (value.type === type || value.type === 'NULL') return { ...value, type };
  if (value.type === 'INT64' && type === 'FLOAT64') return { sql: `CAST(${value.sql} AS REAL)`, type };
  if (!value.isConstantText || (type !== 'DATE' && type !== 'TIMESTAMP')) return null;
  return constant(type, value.sql.slice(1, -1).replaceAll("''", "'"), at);
}
