import { invalid, notInSandbox } from './errors.ts';
import { constant, type SqlType, type Typed } from './sql/types.ts';

const types: Record<string, SqlType> = {
  INT64: 'INT64',
  INTEGER: 'INT64',
  FLOAT64: 'FLOAT64',
  FLOAT: 'FLOAT64',
  STRING: 'STRING',
  BOOL: 'BOOL',
  BOOLEAN: 'BOOL',
  DATE: 'DATE',
  TIMESTAMP: 'TIMESTAMP',
};

/** Named parameters as SQLite literals, by lowercase name. */
export function readParameters(parameters: unknown): Map<string, Typed> {
  if (parameters !== undefined && !Array.isArray(parameters))
    throw invalid('Invalid value for queryParameters: a list is expected');
  return new Map(((parameters ?? []) as Record<string, unknown>[]).map(readParameter));
}

function readParameter({ name, parameterType, parameterValue }: Record<string, unknown>): [string, Typed] {
  if (typeof name !== 'string' || name === '') throw notInSandbox('query parameters without names');
  const typeName = (parameterType as { type?: string } | undefined)?.type ?? '';
  const type = types[typeName.toUpperCase()];
  if (!type) throw notInSandbox(`query parameters of the type ${typeName}`);
  const { value = null } = (parameterValue ?? {}) as { value?: unknown };
  if (value === null) return [name.toLowerCase(), { sql: 'NULL', type }];
  return [name.toLowerCase(), constant(type, String(value), 0)];
}
