import type pg from 'pg';
import type { DayTotals, Slice } from '../kit/contract.js';
import type { Database } from './connection.js';
import { sliceCondition } from './slice.js';
import { qualifiedTable, quote } from './tables.js';
import { inTransaction } from './transaction.js';

type TotalsRow = Record<'day' | 'rows' | 'costMicros' | 'clicks' | 'impressions', string>;

/** Sums per day as the table holds them now. Sums of bigint are numeric in PostgreSQL and arrive as text. */
export async function readTotals(
  client: pg.ClientBase,
  { settings, limits }: Pick<Database, 'settings' | 'limits'>,
  slice: Slice,
): Promise<DayTotals[]> {
  const { costMicros, clicks, impressions } = slice.stream.metrics;
  const sum = (column: string | null, alias: string) =>
    `${column === null ? "'0'" : `coalesce(sum(${quote(column)}), 0)::text`} AS "${alias}"`;
  const sql = `SELECT to_char(date, 'YYYY-MM-DD') AS day, count(*)::text AS rows, ${sum(costMicros, 'costMicros')}, ${sum(clicks, 'clicks')}, ${sum(impressions, 'impressions')}
       FROM ${qualifiedTable(settings, slice.stream)} WHERE ${sliceCondition(slice)} GROUP BY date ORDER BY date`;
  const { rows } = await inTransaction(client, limits, () => client.query<TotalsRow>(sql));
  return rows.map((row) => ({
    day: row.day,
    rows: Number(row.rows),
    costMicros: BigInt(row.costMicros),
    clicks: BigInt(row.clicks),
    impressions: BigInt(row.impressions),
  }));
}
