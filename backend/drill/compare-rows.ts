/** One row of a stream, at the source or at a destination. */
export interface StreamRow {
  date: string;
  /** The values of the stream's key without account and date, joined by slashes. */
  key: string;
  costMicros: string;
  clicks: number;
  impressions: number;
}

export interface Difference {
  kind: 'lost' | 'duplicated' | 'changed' | 'moved';
  date: string;
  key: string;
}

/** The rows that a destination lacks, has more than once, has with other values, or has on another day. */
export function compareRows(wanted: StreamRow[], found: StreamRow[]): Difference[] {
  const [wantedRows, foundRows] = [groupByKey(wanted), groupByKey(found)];
  const differences: Difference[] = [];
  const missing: StreamRow[] = [];
  const strangers: StreamRow[] = [];
  for (const [key, rows] of wantedRows) {
    const [row] = rows as [StreamRow, ...StreamRow[]];
    const held = foundRows.get(key);
    if (!held) missing.push(row);
    else if (held.length > rows.length || isMultiple(held, rows)) differences.push(differenceOf('duplicated', row));
    else if (!isEqual(held, rows)) differences.push(differenceOf('changed', row));
  }
  for (const [key, rows] of foundRows) if (!wantedRows.has(key)) strangers.push(...rows);
  for (const row of missing) {
    const place = strangers.findIndex((other) => other.key === row.key && isEqual([other], [row]));
    if (place >= 0) strangers.splice(place, 1);
    differences.push(differenceOf(place >= 0 ? 'moved' : 'lost', row));
  }
  // Rows that the source never had count as duplicates: each adds to the sums like a repeated row.
  return [...differences, ...strangers.map((row) => differenceOf('duplicated', row))];
}

const differenceOf = (kind: Difference['kind'], { date, key }: StreamRow): Difference => ({ kind, date, key });

function groupByKey(rows: StreamRow[]): Map<string, StreamRow[]> {
  const groups = new Map<string, StreamRow[]>();
  for (const row of rows) {
    const key = `${row.date} ${row.key}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

const sumsOf = (rows: StreamRow[]): number[] =>
  [
    rows.map(({ costMicros }) => Number(costMicros)),
    rows.map(({ clicks }) => clicks),
    rows.map(({ impressions }) => impressions),
  ].map((values) => values.reduce((sum, value) => sum + value, 0));

const isEqual = (held: StreamRow[], rows: StreamRow[]): boolean => String(sumsOf(held)) === String(sumsOf(rows));

/** A destination that adds up events has a repeated row as one row with a multiple of every value. */
function isMultiple(held: StreamRow[], rows: StreamRow[]): boolean {
  const [once, sums] = [sumsOf(rows), sumsOf(held)];
  const [factor] = sums.map((sum, index) => sum / (once[index] || Number.NaN)).filter((ratio) => !Number.isNaN(ratio));
  return (
    factor !== undefined && Number.isInteger(factor) && factor > 1 && once.every((value, index) => value * factor === sums[index])
  );
}
