import type pg from 'pg';
import { totalsOf } from '../../kit/totals/content.js';
import type { AccountDayTotals, Column, Day, DayTotals, Slice, Stream, TableContent } from '../../kit/contract.js';
import { chunkDays } from '../../kit/days.js';
import type { Database } from '../connection/connection.js';
import { contentSql, readContent } from './content.js';
import { sliceCondition } from '../load/slice.js';
import { execute, type Statement } from '../statement.js';
import { qualifiedTable, quote } from './names.js';
import { typeNames } from './table-format.js';
import { columnTypes } from './tables.js';
import { inTransaction } from '../connection/transaction.js';

interface TotalsRow extends pg.QueryResultRow {
  accountId: string;
  day: Day;
  rows: string;
  content: (string | null)[];
}

/** Account-days in one answer: about 1 kB each, and the limit of an answer is 1 MB. */
const ACCOUNT_DAYS_IN_AN_ANSWER = 400;
const ACCOUNTS_IN_AN_ANSWER = 50;

type Using = Pick<Database, 'settings' | 'limits'>;

/** Current sums of the table by day. PostgreSQL sums bigint as numeric, which arrives as text. */
export async function readTotals(client: pg.ClientBase, { settings, limits }: Using, slice: Slice): Promise<DayTotals[]> {
  const { rows } = await inTransaction(client, limits, () => execute<TotalsRow>(client, totalsStatement(settings, slice)));
  return rows.map((row) => toTotals(slice.stream, row));
}

export const totalsStatement = (settings: Using['settings'], slice: Slice): Statement => ({
  title: 'Read the sums back',
  sql: `SELECT to_char(date, 'YYYY-MM-DD') AS day, count(*)::text AS rows, ${contentSql(slice.stream)} AS content
       FROM ${qualifiedTable(settings, slice.stream)} WHERE ${sliceCondition(slice)} GROUP BY date ORDER BY date`,
});

/** The same for whole accounts, in a table that users may have changed. Missing columns count as empty. */
export async function readTable(
  client: pg.ClientBase,
  { settings, limits }: Using,
  stream: Stream,
  { accountIds, from, to }: { accountIds: string[]; from: Day; to: Day },
): Promise<TableContent> {
  const types = await inTransaction(client, limits, () => columnTypes(client, settings, stream));
  const isThere = ({ name, type }: Column) => types.get(name) === typeNames[type];
  const lostColumns = stream.columns.filter((column) => !isThere(column)).map(({ name }) => name);
  const needed = ['account_id', 'date', ...(stream.scope ? [stream.scope.column] : [])];
  if (types.size === 0 || needed.some((name) => lostColumns.includes(name))) return { days: [], lostColumns, isGone: true };
  const sql = `SELECT account_id AS "accountId", to_char(date, 'YYYY-MM-DD') AS day, count(*)::text AS rows, ${contentSql(stream, isThere)} AS content
       FROM ${qualifiedTable(settings, stream)}
      WHERE account_id = ANY ($1::text[]) AND date BETWEEN $2::date AND $3::date AND ${scopeCondition(stream)} GROUP BY account_id, date`;
  const days: AccountDayTotals[] = [];
  for (const part of parts(accountIds, from, to)) {
    const { rows } = await inTransaction(client, limits, () => client.query<TotalsRow>(sql, part));
    days.push(...rows.map((row) => ({ ...toTotals(stream, row), accountId: row.accountId })));
  }
  return { days, lostColumns, isGone: false };
}

const toTotals = (stream: Stream, { day, rows, content }: TotalsRow): DayTotals =>
  totalsOf(stream, day, Number(rows), readContent(stream, content));

const scopeCondition = ({ scope }: Stream): string =>
  scope ? `${quote(scope.column)} = '${scope.value.replaceAll("'", "''")}'` : 'true';

/** The parameters of each statement. */
function parts(accountIds: string[], from: Day, to: Day): [string[], Day, Day][] {
  const groups = Array.from({ length: Math.ceil(accountIds.length / ACCOUNTS_IN_AN_ANSWER) }, (_, index) =>
    accountIds.slice(index * ACCOUNTS_IN_AN_ANSWER, (index + 1) * ACCOUNTS_IN_AN_ANSWER),
  );
  return groups.flatMap((group) =>
    chunkDays(from, to, Math.floor(ACCOUNT_DAYS_IN_AN_ANSWER / group.length)).map((chunk): [string[], Day, Day] => [
      group,
      chunk.from,
      chunk.to,
    ]),
  );
}
