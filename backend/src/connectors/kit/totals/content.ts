import { createHash } from 'node:crypto';
import { DOUBLE_STEPS } from './content-sums.js';
import type { Content, DayTotals, Stream } from '../contract.js';

/** Values per column in a destination's answer: the number of cells that are not null, and the sum in two parts. */
const CELLS = 3;

/** Names of the columns that differ. Sums that one side does not have are not compared. */
export function differingColumns({ columns }: Stream, left: Content | undefined, right: Content | undefined): string[] {
  if (!left || !right) return [];
  const isTextComparable = !left.hasOwnTextHash && !right.hasOwnTextHash;
  return columns
    .filter(
      ({ type }, index) =>
        left.counts[index] !== right.counts[index] ||
        ((type !== 'text' || isTextComparable) && sumsDiffer(left.sums[index], right.sums[index])),
    )
    .map(({ name }) => name);
}

function sumsDiffer(left: bigint | null | undefined, right: bigint | null | undefined): boolean {
  return left != null && right != null && left !== right;
}

/** A 128-bit hash of a day's content, including column names. The audit compares it later. */
export function hashContent({ columns }: Stream, { rows, content }: Pick<DayTotals, 'rows' | 'content'>): string | null {
  if (!content) return null;
  const text = columns.map(({ name }, index) => `${name} ${content.counts[index]} ${content.sums[index]}`).join('\n');
  return createHash('sha256').update(`${rows}\n${text}`).digest().subarray(0, 16).toString('base64url');
}

/** Totals of a day. The metrics are columns too. */
export function totalsOf(stream: Stream, day: string, rows: number, content: Content): DayTotals {
  const sumOf = (name: string | null) => content.sums[stream.columns.findIndex((column) => column.name === name)] ?? 0n;
  const { costMicros, clicks, impressions } = stream.metrics;
  return { day, rows, costMicros: sumOf(costMicros), clicks: sumOf(clicks), impressions: sumOf(impressions), content };
}

/** Parses a destination's answer, column by column. The second part of a sum counts steps of a double. */
export function readContent({ columns }: Stream, cells: (string | null)[]): Content {
  const content: Content = { counts: [], sums: [] };
  columns.forEach(({ type }, index) => {
    const [count, first, second] = cells.slice(index * CELLS, (index + 1) * CELLS);
    content.counts.push(Number(count));
    const isSummed = type === 'bigint' || type === 'double' || type === 'text';
    const sum = BigInt(first ?? 0) * (type === 'double' ? BigInt(DOUBLE_STEPS) : 1n) + BigInt(second ?? 0);
    content.sums.push(isSummed ? sum : null);
  });
  return content;
}
