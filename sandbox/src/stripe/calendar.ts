import type { Recurring } from './objects.ts';

export const daySeconds = 86_400;

/** The end of a period that starts at `start`. Months keep the anchor's day, or end on their last day. */
export function periodEnd(start: number, recurring: Recurring, anchor: number): number {
  const { interval, interval_count: count } = recurring;
  if (interval === 'day') return start + count * daySeconds;
  if (interval === 'week') return start + count * 7 * daySeconds;
  return addMonths(start, interval === 'year' ? 12 * count : count, new Date(anchor * 1_000).getUTCDate());
}

function addMonths(start: number, months: number, anchorDay: number): number {
  const date = new Date(start * 1_000);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, Math.min(anchorDay, lastDay));
  return midnight / 1_000 + (start % daySeconds);
}
