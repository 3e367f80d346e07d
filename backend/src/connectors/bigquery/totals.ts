import type { ConnectorContext, DayTotals, Slice } from '../kit/contract.js';
import type { Jobs } from './jobs.js';
import { tableNameOf } from './names.js';
import { readRows } from './query.js';
import { qualifiedTable, quote, sliceCondition } from './sql.js';

/** Sums per day as the table holds them now. */
export async function readTotals(jobs: Jobs, context: ConnectorContext, slice: Slice): Promise<DayTotals[]> {
  const { destination } = jobs.api;
  const { costMicros, clicks, impressions } = slice.stream.metrics;
  const sums = [costMicros, clicks, impressions].map((column) => (column === null ? '0' : `COALESCE(SUM(${quote(column)}), 0)`));
  const condition = sliceCondition(slice);
  const query = `SELECT date, COUNT(*), ${sums.join(', ')} FROM ${qualifiedTable(destination, tableNameOf(destination, slice.stream))}
    WHERE ${condition.sql} GROUP BY date ORDER BY date`;
  const rows = await readRows(jobs, context, query, condition.parameters);
  return rows.map(([day, count, ...metrics]) => {
    const [cost, clicked, shown] = metrics.map((value) => BigInt(value ?? 0));
    return { day: day ?? '', rows: Number(count), costMicros: cost ?? 0n, clicks: clicked ?? 0n, impressions: shown ?? 0n };
  });
}
