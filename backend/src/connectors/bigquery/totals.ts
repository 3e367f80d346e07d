import { readContent, totalsOf } from '../kit/totals/content.js';
import type { AccountDayTotals, Column, ConnectorContext, Day, DayTotals, Slice, Stream, TableContent } from '../kit/contract.js';
import { contentSql } from './content.js';
import type { Jobs } from './jobs.js';
import { tableNameOf } from './names.js';
import { readRows } from './query.js';
import type { DestinationSettings } from './settings.js';
import { dateLiteral, type Parameter, qualifiedTable, quote, sliceCondition } from './sql.js';
import { columnTypes, typeNames } from './tables.js';

/** Current sums of the table by day. */
export async function readTotals(jobs: Jobs, context: ConnectorContext, slice: Slice): Promise<DayTotals[]> {
  const { query, parameters } = totalsQuery(jobs.api.destination, slice);
  const rows = await readRows(jobs, context, query, parameters);
  return rows.map(([day, count, ...cells]) => totalsOf(slice.stream, day ?? '', Number(count), readContent(slice.stream, cells)));
}

export function totalsQuery(destination: DestinationSettings, slice: Slice): { query: string; parameters: Parameter[] } {
  const { sql, parameters } = sliceCondition(slice);
  const table = qualifiedTable(destination, tableNameOf(destination, slice.stream));
  const query = `SELECT date, COUNT(*), ${contentSql(slice.stream)} FROM ${table}
    WHERE ${sql} GROUP BY date ORDER BY date`;
  return { query, parameters };
}

/** The same for whole accounts, in a table that users may have changed. Missing columns count as empty. */
export async function readTable(
  jobs: Jobs,
  context: ConnectorContext,
  stream: Stream,
  { accountIds, from, to }: { accountIds: string[]; from: Day; to: Day },
): Promise<TableContent> {
  const { destination } = jobs.api;
  const types = await columnTypes(jobs.api, context, stream);
  const isThere = ({ name, type }: Column) => types.get(name) === typeNames[type];
  const lostColumns = stream.columns.filter((column) => !isThere(column)).map(({ name }) => name);
  const needed = ['account_id', 'date', ...(stream.scope ? [stream.scope.column] : [])];
  if (types.size === 0 || needed.some((name) => lostColumns.includes(name))) return { days: [], lostColumns, isGone: true };
  const parameters: Parameter[] = accountIds.map((value, index) => ({ name: `account_${index}`, type: 'STRING', value }));
  const conditions = [
    `account_id IN (${parameters.map(({ name }) => `@${name}`).join(', ')})`,
    `date BETWEEN ${dateLiteral(from)} AND ${dateLiteral(to)}`,
  ];
  if (stream.scope) {
    conditions.push(`${quote(stream.scope.column)} = @scope`);
    parameters.push({ name: 'scope', type: 'STRING', value: stream.scope.value });
  }
  const query = `SELECT account_id, date, COUNT(*), ${contentSql(stream, isThere)}
    FROM ${qualifiedTable(destination, tableNameOf(destination, stream))} WHERE ${conditions.join(' AND ')} GROUP BY account_id, date`;
  const rows = await readRows(jobs, context, query, parameters);
  const days = rows.map(([accountId, day, count, ...cells]): AccountDayTotals => ({
    ...totalsOf(stream, day ?? '', Number(count), readContent(stream, cells)),
    accountId: accountId ?? '',
  }));
  return { days, lostColumns, isGone: false };
}
