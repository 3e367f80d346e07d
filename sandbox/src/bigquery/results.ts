import { fieldTypeOf, type Field } from './schema.ts';
import type { Cell } from './sql/run-script.ts';
import type { SqlType } from './sql/types.ts';

export interface Row {
  f: { v: string | null }[];
}

/** A column of a result. It can have types that tables do not have here. */
interface Column extends Pick<Field, 'name'> {
  type: Field['type'] | 'NUMERIC';
}

export function schemaOf(columns: { name: string; type: SqlType }[]): { fields: (Column & { mode: 'NULLABLE' })[] } {
  return { fields: columns.map(({ name, type }) => ({ name, type: fieldTypeOf(type), mode: 'NULLABLE' as const })) };
}

/** Rows in BigQuery's format: every value is text. */
export function formatRows(rows: Cell[][], columns: Column[], isInt64Timestamp: boolean): Row[] {
  return rows.map((cells) => ({
    f: cells.map((cell, index) => ({ v: formatCell(cell, columns[index]?.type, isInt64Timestamp) })),
  }));
}

function formatCell(cell: Cell, type: Column['type'] | undefined, isInt64Timestamp: boolean): string | null {
  if (cell === null) return null;
  if (type === 'BOOLEAN') return BigInt(cell) === 0n ? 'false' : 'true';
  if (type === 'FLOAT') return formatFloat(Number(cell));
  if (type !== 'TIMESTAMP' || isInt64Timestamp) return String(cell);
  // Without the option, a timestamp is a floating point number of seconds, in the form 1.7E9.
  return formatFloat(Number(cell) / 1_000_000);
}

/** 1.0, 0.5 and 1.0E10, as in Java. */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-3)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    return `${withPoint(digits)}E${Number(exponent)}`;
  }
  return withPoint(String(value));
}

function withPoint(digits: string): string {
  return digits.includes('.') ? digits : `${digits}.0`;
}
