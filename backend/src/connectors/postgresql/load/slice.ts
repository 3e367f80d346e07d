import pg from 'pg';
import type { Slice } from '../../kit/contract.js';
import { sliceColumns } from '../../kit/slice-condition.js';
import { quote } from '../tables/names.js';

/** SQL condition for the rows of a slice. Its values are escaped literals. */
export function sliceCondition(slice: Slice): string {
  const columns = sliceColumns(slice).map(({ column, value }) => `${quote(column)} = ${pg.escapeLiteral(value)}`);
  return [...columns, `date BETWEEN ${pg.escapeLiteral(slice.from)} AND ${pg.escapeLiteral(slice.to)}`].join(' AND ');
}
