import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { toDayNumber } from '../../clock.ts';
import { commonType, isNumber, readFloat, readTimestamp, type SqlType, type Typed } from './types.ts';

/** The result of a call, or null if the arguments do not match. `now` is the start of the query, in microseconds. */
type Signature = (args: Typed[], now: bigint) => Typed | null;

export const aggregateNames = new Set(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'COUNTIF', 'ANY_VALUE']);

export function aggregate(name: string, args: Typed[], isDistinct: boolean, isStar: boolean): Typed | null {
  if (isStar) return name === 'COUNT' ? { sql: 'COUNT(*)', type: 'INT64' } : null;
  const [value] = args;
  if (!value || args.length > 1) return null;
  const inner = `${isDistinct ? 'DISTINCT ' : ''}${value.sql}`;
  switch (name) {
    case 'COUNT':
      return { sql: `COUNT(${inner})`, type: 'INT64' };
    case 'SUM':
      if (value.type === 'NUMERIC') return { sql: `bq_sum(${inner})`, type: 'NUMERIC' };
      return isNumber(value.type) ? { sql: `SUM(${inner})`, type: value.type === 'NULL' ? 'INT64' : value.type } : null;
    case 'AVG':
      return isNumber(value.type) ? { sql: `AVG(${inner})`, type: 'FLOAT64' } : null;
    case 'COUNTIF':
      return value.type === 'BOOL' && !isDistinct ? { sql: `COUNT(CASE WHEN ${value.sql} THEN 1 END)`, type: 'INT64' } : null;
    default:
      return { sql: `${name === 'ANY_VALUE' ? 'MIN' : name}(${inner})`, type: value.type };
  }
}

export const functions: Record<string, Signature> = {
  CONCAT: (args) =>
    args.length > 0 && args.every(({ type }) => fits(type, 'STRING')) ? text(args.map(({ sql }) => sql).join(' || ')) : null,
  LOWER: (args) => ofText(args, 'bq_lower'),
  UPPER: (args) => ofText(args, 'bq_upper'),
  TRIM: (args) => ofText(args, 'trim'),
  LENGTH: (args) => (ofText(args, 'length') ? { sql: `length(${args[0]?.sql})`, type: 'INT64' } : null),
  SUBSTR: ([value, ...places]) =>
    value && fits(value.type, 'STRING') && places.length > 0 && places.length < 3 && places.every(({ type }) => type === 'INT64')
      ? text(`substr(${[value, ...places].map(({ sql }) => sql).join(', ')})`)
      : null,
  STARTS_WITH: ([value, start]) =>
    value && start && fits(value.type, 'STRING') && fits(start.type, 'STRING')
      ? { sql: `(substr(${value.sql}, 1, length(${start.sql})) = ${start.sql})`, type: 'BOOL' }
      : null,
  ABS: ([value]) => (value && isNumber(value.type) ? { sql: `abs(${value.sql})`, type: value.type } : null),
  ROUND: ([value, digits]) =>
    value && isNumber(value.type) ? { sql: `round(${value.sql}, ${digits?.sql ?? '0'})`, type: 'FLOAT64' } : null,
  FLOOR: ([value]) => (value && isNumber(value.type) ? { sql: `bq_floor(${value.sql})`, type: 'FLOAT64' } : null),
  FARM_FINGERPRINT: ([value]) =>
    value && fits(value.type, 'STRING') ? { sql: `bq_fingerprint(${value.sql})`, type: 'INT64' } : null,
  COALESCE: (args) => ofOneType(args, 'coalesce'),
  IFNULL: (args) => (args.length === 2 ? ofOneType(args, 'ifnull') : null),
  NULLIF: (args) => (args.length === 2 ? ofOneType(args, 'nullif') : null),
  GREATEST: (args) => (args.length > 1 ? ofOneType(args, 'max') : null),
  LEAST: (args) => (args.length > 1 ? ofOneType(args, 'min') : null),
  IF: ([condition, then, otherwise]) => {
    const type = then && otherwise ? commonType(then.type, otherwise.type) : null;
    if (!condition || condition.type !== 'BOOL' || !type) return null;
    return { sql: `CASE WHEN ${condition.sql} THEN ${then?.sql} ELSE ${otherwise?.sql} END`, type };
  },
  ERROR: ([message]) => (message && fits(message.type, 'STRING') ? { sql: `bq_error(${message.sql})`, type: 'NULL' } : null),
  SAFE_DIVIDE: ([left, right]) =>
    left && right && isNumber(left.type) && isNumber(right.type)
      ? { sql: `(CAST(${left.sql} AS REAL) / nullif(${right.sql}, 0))`, type: 'FLOAT64' }
      : null,
  CURRENT_TIMESTAMP: (args, now) => (args.length === 0 ? { sql: String(now), type: 'TIMESTAMP' } : null),
  CURRENT_DATE: (args, now) =>
    args.length === 0 ? { sql: `'${new Date(Number(now / 1_000n)).toISOString().slice(0, 10)}'`, type: 'DATE' } : null,
  DATE: ([value]) => {
    if (value?.type === 'TIMESTAMP') return { sql: `date(${value.sql} / 1000000, 'unixepoch')`, type: 'DATE' };
    return value && fits(value.type, 'STRING') ? { sql: castTo('DATE', value.sql, false), type: 'DATE' } : null;
  },
};

function fits(type: SqlType, wanted: SqlType): boolean {
  return type === wanted || type === 'NULL';
}

function text(sql: string): Typed {
  return { sql: `(${sql})`, type: 'STRING' };
}

function ofText([value]: Typed[], name: string): Typed | null {
  return value && fits(value.type, 'STRING') ? text(`${name}(${value.sql})`) : null;
}

function ofOneType(args: Typed[], name: string): Typed | null {
  const type = args.map((arg) => arg.type).reduce<SqlType | null>((known, next) => known && commonType(known, next), 'NULL');
  if (!type || args.length === 0) return null;
  // SQLite's coalesce requires two arguments.
  return { sql: args.length === 1 ? (args[0]?.sql ?? 'NULL') : `${name}(${args.map(({ sql }) => sql).join(', ')})`, type };
}

export function castTo(type: SqlType, sql: string, isSafe: boolean): string {
  return `bq_cast('${type}', ${sql}, ${isSafe ? 1 : 0})`;
}

/** Functions that SQLite lacks or implements differently. Errors thrown here fail the query. */
export function defineFunctions(database: DatabaseSync): void {
  const define = (
    name: string,
    work: (...args: (string | number | bigint | null)[]) => string | number | bigint | null,
    deterministic = true,
  ): void => database.function(name, { deterministic, useBigIntArguments: true, varargs: true }, work as never);
  define('bq_lower', (value) => (value === null ? null : String(value).toLowerCase()));
  define('bq_upper', (value) => (value === null ? null : String(value).toUpperCase()));
  // Not deterministic, so that SQLite does not call it in advance for constant arguments.
  define('bq_error', (message) => raise(String(message)), false);
  define('bq_divide', (left, right) => {
    if (left === null || right === null || left === undefined || right === undefined) return null;
    if (Number(right) === 0) throw new Error(`division by zero: ${String(left)} / ${String(right)}`);
    return Number(left) / Number(right);
  });
  define('bq_floor', (value) => (value === null || value === undefined ? null : Math.floor(Number(value))));
  // Stable like FarmHash's fingerprint, but with other values. Nothing else computes it.
  define('bq_fingerprint', (text) =>
    text === null ? null : createHash('sha256').update(String(text)).digest().readBigInt64LE(),
  );
  // Sums beyond int64, as text with every digit.
  const step = (sum: string | null, value: string | number | bigint | null): string | null =>
    value === null ? sum : String(BigInt(sum ?? 0) + BigInt(value));
  database.aggregate('bq_sum', { start: null, step: step as never, useBigIntArguments: true });
  define('bq_cast', (type, value, isSafe) => {
    if (value === null || value === undefined) return null;
    const result = castText(String(type) as SqlType, String(value));
    if (result === null && isSafe !== 1n) throw new Error(badCast(String(type), String(value)));
    return result;
  });
}

function raise(message: string): never {
  throw new Error(message);
}

function castText(type: SqlType, value: string): string | number | bigint | null {
  if (type === 'DATE') return Number.isNaN(toDayNumber(value)) ? null : value;
  if (type === 'TIMESTAMP') return readTimestamp(value);
  if (type === 'FLOAT64') return readFloat(value);
  if (type === 'INT64') return /^\s*[+-]?\d{1,19}\s*$/.test(value) ? BigInt(value) : null;
  if (type === 'BOOL') return /^true$/i.test(value) ? 1 : /^false$/i.test(value) ? 0 : null;
  return value;
}

function badCast(type: string, value: string): string {
  const words: Record<string, string> = { INT64: 'int64', FLOAT64: 'double', BOOL: 'bool' };
  if (type === 'DATE' || type === 'TIMESTAMP') return `Invalid ${type.toLowerCase()}: '${value}'`;
  return `Bad ${words[type] ?? type} value: ${value}`;
}
