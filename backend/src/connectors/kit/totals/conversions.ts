import type { Content, Stream } from '../contract.js';
import { DOUBLE_STEPS } from './content-sums.js';

/** Columns that count conversions: Google Ads, Microsoft Advertising and the unified table; Meta Ads. */
const NAMES = ['conversions', 'purchases'];

/** Whether a stream counts conversions. Attribution gives fractions, so the column is a double. */
export const conversionsColumn = ({ columns }: Pick<Stream, 'columns'>): number =>
  columns.findIndex(({ name, type }) => type === 'double' && NAMES.includes(name));

/** Conversions of a day with rows. Null: the stream has no such column, or it is excluded. */
export function conversionsOf(stream: Pick<Stream, 'columns'>, content: Content | undefined): number | null {
  const index = conversionsColumn(stream);
  if (index < 0) return null;
  return Number(content?.sums[index] ?? 0n) / DOUBLE_STEPS;
}
