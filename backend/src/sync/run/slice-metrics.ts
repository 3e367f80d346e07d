import type { Content, Day, DayTotals, Stream } from '../../connectors/kit/contract.js';
import { conversionsOf } from '../../connectors/kit/totals/conversions.js';

/** A sum at the source and at the destination. */
export interface ComparedSum {
  read: number;
  found: number;
}

/** Compared sums of a slice besides rows and cost. Null: the stream has no such column, or one end does not report it. */
export interface SliceMetrics {
  hasCost: boolean;
  clicks: ComparedSum | null;
  impressions: ComparedSum | null;
  conversions: ComparedSum | null;
}

interface Sums {
  expected: DayTotals;
  found: DayTotals;
  sent: Map<Day, Content>;
  shown: DayTotals[];
}

export function sliceMetrics(stream: Pick<Stream, 'metrics' | 'columns'>, { expected, found, sent, shown }: Sums): SliceMetrics {
  const compared = (metric: 'clicks' | 'impressions') =>
    stream.metrics[metric] === null ? null : { read: Number(expected[metric]), found: Number(found[metric]) };
  return {
    hasCost: stream.metrics.costMicros !== null,
    clicks: compared('clicks'),
    impressions: compared('impressions'),
    conversions: comparedConversions(stream, sent, shown),
  };
}

/** Null if the destination does not report the sums of all columns. */
function comparedConversions(stream: Pick<Stream, 'columns'>, sent: Map<Day, Content>, shown: DayTotals[]): ComparedSum | null {
  if (conversionsOf(stream, undefined) === null) return null;
  if (shown.some(({ rows, content }) => rows > 0 && content === undefined)) return null;
  const sumOf = (days: Iterable<Content | undefined>): number =>
    [...days].reduce((sum, content) => sum + (conversionsOf(stream, content) ?? 0), 0);
  return { read: sumOf(sent.values()), found: sumOf(shown.map(({ content }) => content)) };
}
