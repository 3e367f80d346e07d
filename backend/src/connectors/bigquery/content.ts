import { DOUBLE_LIMIT, DOUBLE_STEPS } from '../kit/totals/content-sums.js';
import type { Column, Stream } from '../kit/contract.js';
import { quote } from './sql.js';

/**
 * Counts and sums of every column, as `content-sums` defines them. Text is summed with BigQuery's own hash, which detects changes
 * since the load but cannot be compared with what was sent. NUMERIC stores sums that INT64 cannot.
 * @param isThere columns that the table lacks count as empty
 */
export function contentSql({ columns }: Stream, isThere: (column: Column) => boolean = () => true): string {
  return columns.map((column) => (isThere(column) ? columnSql(column) : '0, 0, 0')).join(', ');
}

function columnSql({ name, type }: Column): string {
  const column = quote(name);
  if (type === 'bigint') return `COUNT(${column}), SUM(CAST(${column} AS NUMERIC)), 0`;
  if (type === 'text') return `COUNT(${column}), SUM(CAST(FARM_FINGERPRINT(${column}) AS NUMERIC)), 0`;
  if (type !== 'double') return `COUNT(${column}), 0, 0`;
  const summed = (value: string) => `SUM(IF(ABS(${column}) < ${DOUBLE_LIMIT}, CAST(FLOOR(${value}) AS INT64), NULL))`;
  return `COUNT(${column}), ${summed(column)}, ${summed(`(${column} - FLOOR(${column})) * ${DOUBLE_STEPS}`)}`;
}
