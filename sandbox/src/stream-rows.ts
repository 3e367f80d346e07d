/** One row of a stream, to compare with a destination row by row. */
export interface StreamRow {
  date: string;
  /** The values of the stream's key without account and date, joined by slashes: the entity's id, then its segments. */
  key: string;
  costMicros: string;
  clicks: number;
  impressions: number;
}

export interface StreamTotals {
  rows: number;
  costMicros: string;
  clicks: number;
  impressions: number;
}

export function sumRows(rows: StreamRow[]): StreamTotals {
  const sums = { costMicros: 0, clicks: 0, impressions: 0 };
  for (const { costMicros, clicks, impressions } of rows) {
    sums.costMicros += Number(costMicros);
    sums.clicks += clicks;
    sums.impressions += impressions;
  }
  return { rows: rows.length, ...sums, costMicros: String(sums.costMicros) };
}
