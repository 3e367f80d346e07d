import { toDayNumber } from '../../clock.ts';
import { SqlError } from './sql-error.ts';

/** NUMERIC supports only whole numbers here. `NULL` is the type of a bare NULL, which matches every type. */
export type SqlType = 'INT64' | 'NUMERIC' | 'FLOAT64' | 'STRING' | 'BOOL' | 'DATE' | 'TIMESTAMP' | 'JSON' | 'NULL';

/** Storage of each type in SQLite: a date as text, a timestamp as microseconds since 1970. */
export const storageTypes: Record<Exclude<SqlType, 'NULL' | 'NUMERIC'>, 'INTEGER' | 'REAL' | 'TEXT'> = {
  INT64: 'INTEGER',
  FLOAT64: 'REAL',
  STRING: 'TEXT',
  BOOL: 'INTEGER',
  DATE: 'TEXT',
  TIMESTAMP: 'INTEGER',
  JSON: 'TEXT',
};

/** An SQLite expression. */
export interface Typed {
  sql: string;
  type: SqlType;
  /** Literals and parameters are converted to dates and timestamps implicitly, columns are not. */
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

/** Parses a constant of a type. Throws BigQuery's error for invalid text. */
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
    // The smallest integer has no positive counterpart that could be negated.
    return { sql: BigInt(text) === -maximumInt64 - 1n ? '(-9223372036854775807 - 1)' : String(BigInt(text)), type };
  }
  const value = readFloat(text);
  if (value === null) throw bad('Invalid floating point literal');
  return { sql: realLiteral(value), type };
}

/** SQLite reads a number without a decimal point as an integer and has no literal for infinity. */
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

/** Microseconds since 1970; null if the text is not a timestamp. The default zone is UTC. */
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

/** The common type of both sides, or null if BigQuery has no such rule. */
export function commonType(left: SqlType, right: SqlType): SqlType | null {
  if (left === right || right === 'NULL') return left;
  if (left === 'NULL') return right;
  return isNumber(left) && isNumber(right) ? 'FLOAT64' : null;
}

/** The value converted to that type, or null if there is no implicit conversion. */
export function coerce(value: Typed, type: SqlType, at: number): Typed | null {
  if (value.type === type || value.type === 'NULL') return { ...value, type };
  if (value.type === 'INT64' && type === 'FLOAT64') return { sql: `CAST(${value.sql} AS REAL)`, type };
  if (!value.isConstantText || (type !== 'DATE' && type !== 'TIMESTAMP')) return null;
  return constant(type, value.sql.slice(1, -1).replaceAll("''", "'"), at);
}
