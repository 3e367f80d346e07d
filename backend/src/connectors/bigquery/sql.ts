import type { Slice } from '../kit/contract.js';
import { isDay } from '../kit/days.js';
import { sliceColumns } from '../kit/slice-condition.js';
import type { DestinationSettings } from './settings.js';

/** A named query parameter. Numbers and times are passed as text. */
export interface Parameter {
  name: string;
  type: 'STRING' | 'INT64' | 'TIMESTAMP' | 'DATETIME' | 'DATE';
  value: string;
}

export function quote(name: string): string {
  return `\`${name.replaceAll('`', '')}\``;
}

export function qualifiedTable(
  { projectId, datasetId }: Pick<DestinationSettings, 'projectId' | 'datasetId'>,
  table: string,
): string {
  return quote(`${projectId}.${datasetId}.${table}`);
}

/** A constant text. https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#escape_sequences */
export function textLiteral(text: string): string {
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `'${escaped}'`;
}

/**
 * Condition for the rows of a slice. Its days are constants in the SQL, so that BigQuery neither reads nor bills other
 * partitions.
 */
export function sliceCondition(slice: Slice): { sql: string; parameters: Parameter[] } {
  const columns = sliceColumns(slice).map(({ column, value }, index) => ({ column, value, name: `slice_${index}` }));
  const conditions = columns.map(({ column, name }) => `${quote(column)} = @${name}`);
  return {
    sql: [...conditions, `${quote('date')} BETWEEN ${dateLiteral(slice.from)} AND ${dateLiteral(slice.to)}`].join(' AND '),
    parameters: columns.map(({ name, value }) => ({ name, type: 'STRING' as const, value })),
  };
}

export function dateLiteral(day: string): string {
  if (!isDay(day)) throw new Error(`${day} is not a day`);
  return `DATE '${day}'`;
}

/**
 * Ends a script with this message unless the condition holds. Uses SELECT because BigQuery does not document ASSERT in
 * transactions.
 */
export function assertSql(condition: string, message: string): string {
  return `SELECT IF(${condition}, TRUE, ERROR('${message}'))`;
}
