import type { SqlType } from './sql/types.ts';
import { invalid, notInSandbox } from './errors.ts';

export interface Field {
  name: string;
  /** The older type name, as in BigQuery's answers: INTEGER, FLOAT, BOOLEAN. */
  type: 'STRING' | 'INTEGER' | 'FLOAT' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP' | 'JSON';
  mode: 'NULLABLE' | 'REQUIRED';
  description?: string;
  /** Returned as it was sent. It hides no values here. */
  policyTags?: unknown;
}

const olderNames: Record<string, Field['type']> = {
  STRING: 'STRING',
  INTEGER: 'INTEGER',
  INT64: 'INTEGER',
  FLOAT: 'FLOAT',
  FLOAT64: 'FLOAT',
  BOOLEAN: 'BOOLEAN',
  BOOL: 'BOOLEAN',
  DATE: 'DATE',
  TIMESTAMP: 'TIMESTAMP',
  JSON: 'JSON',
};

const sqlTypes: Record<Field['type'], Exclude<SqlType, 'NULL' | 'NUMERIC'>> = {
  STRING: 'STRING',
  INTEGER: 'INT64',
  FLOAT: 'FLOAT64',
  BOOLEAN: 'BOOL',
  DATE: 'DATE',
  TIMESTAMP: 'TIMESTAMP',
  JSON: 'JSON',
};

export function sqlTypeOf({ type }: Pick<Field, 'type'>): Exclude<SqlType, 'NULL' | 'NUMERIC'> {
  return sqlTypes[type];
}

/** The type name of a result column. */
export function fieldTypeOf(type: SqlType): Field['type'] | 'NUMERIC' {
  return type === 'NUMERIC' ? type : (olderNames[type] ?? 'INTEGER');
}

/** Validates a submitted schema. */
export function readFields(schema: unknown): Field[] {
  const fields = (schema as { fields?: unknown } | null | undefined)?.fields ?? [];
  if (!Array.isArray(fields)) throw invalid('Invalid value for schema.fields: a list is expected');
  const read = fields.map((field) => readField(field as Record<string, unknown>));
  const names = new Set<string>();
  for (const { name } of read) {
    if (names.has(name.toLowerCase())) throw invalid(`Field ${name} already exists in schema`);
    names.add(name.toLowerCase());
  }
  return read;
}

function readField({ name, type, mode = 'NULLABLE', description, fields, policyTags }: Record<string, unknown>): Field {
  if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]{0,299}$/.test(name))
    throw invalid(
      `Invalid field name "${String(name)}". Fields must contain the allowed characters, and be at most 300 characters long.`,
    );
  const known = typeof type === 'string' ? olderNames[type.toUpperCase()] : undefined;
  if (mode === 'REPEATED' || fields !== undefined) throw notInSandbox(`nested or repeated fields (${name})`);
  if (!known) {
    const isReal = /^(NUMERIC|BIGNUMERIC|BYTES|TIME|DATETIME|GEOGRAPHY|RECORD|STRUCT|RANGE|INTERVAL)$/.test(String(type));
    throw isReal
      ? notInSandbox(`fields of the type ${String(type)}`)
      : invalid(`Invalid value for type: ${String(type)} is not a valid value`);
  }
  if (mode !== 'NULLABLE' && mode !== 'REQUIRED') throw invalid(`Invalid value for mode: ${String(mode)} is not a valid value`);
  return {
    name,
    type: known,
    mode,
    ...(typeof description === 'string' && { description }),
    ...(policyTags !== undefined && { policyTags }),
  };
}

/** Validates a schema change: fields can only get looser modes, and new fields must be nullable. */
export function proveChange(table: string, before: Field[], after: Field[]): void {
  const refuse = (why: string): never => {
    throw invalid(`Provided Schema does not match Table ${table}. ${why}`);
  };
  for (const field of before) {
    const next = after.find(({ name }) => name.toLowerCase() === field.name.toLowerCase());
    if (!next) return refuse(`Field ${field.name} is missing in new schema`);
    if (next.type !== field.type) refuse(`Field ${field.name} has changed type from ${field.type} to ${next.type}`);
    if (field.mode === 'NULLABLE' && next.mode === 'REQUIRED')
      refuse(`Field ${field.name} has changed mode from NULLABLE to REQUIRED`);
  }
  const known = new Set(before.map(({ name }) => name.toLowerCase()));
  const required = after.find(({ name, mode }) => mode === 'REQUIRED' && !known.has(name.toLowerCase()));
  if (required) refuse(`Cannot add required fields to an existing schema. (field: ${required.name})`);
}
