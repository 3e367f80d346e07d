import type { Day, DayTotals, MetricSums, Row, Stream } from './contract.js';

export function emptySums(): MetricSums {
  return { rows: 0, costMicros: 0n, clicks: 0n, impressions: 0n };
}

export function addSums(left: MetricSums, right: MetricSums): MetricSums {
  return {
    rows: left.rows + right.rows,
    costMicros: left.costMicros + right.costMicros,
    clicks: left.clicks + right.clicks,
    impressions: left.impressions + right.impressions,
  };
}

export function sumRows(stream: Stream, rows: Row[]): MetricSums {
  const { costMicros, clicks, impressions } = stream.metrics;
  const sums = emptySums();
  sums.rows = rows.length;
  for (const row of rows) {
    sums.costMicros += toBigInt(row[costMicros]);
    sums.clicks += toBigInt(row[clicks]);
    sums.impressions += toBigInt(row[impressions]);
  }
  return sums;
}

/** Sums per day of the `date` column, oldest day first. */
export function sumRowsByDay(stream: Stream, rows: Row[]): DayTotals[] {
  const byDay = new Map<Day, Row[]>();
  for (const row of rows) {
    const day = String(row['date']);
    const dayRows = byDay.get(day);
    if (dayRows) dayRows.push(row);
    else byDay.set(day, [row]);
  }
  return [...byDay]
    .map(([day, dayRows]) => ({ day, ...sumRows(stream, dayRows) }))
    .sort((left, right) => (left.day < right.day ? -1 : 1));
}

export function equalSums(left: Omit<MetricSums, 'rows'>, right: Omit<MetricSums, 'rows'>): boolean {
  return left.costMicros === right.costMicros && left.clicks === right.clicks && left.impressions === right.impressions;
}

function toBigInt(value: Row[string] | undefined): bigint {
  return typeof value === 'bigint' ? value : BigInt(Number(value ?? 0));
}
