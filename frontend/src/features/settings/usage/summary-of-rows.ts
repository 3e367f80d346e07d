import type { Usage } from '~/api/types';
import { formatDay } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';

/** One sentence that says what the drawing shows. */
export function summaryOfRows(days: Usage['rowsByDay'], now: Date): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return 'No day has been loaded yet.';
  const total = days.reduce((sum, { rows }) => sum + rows, 0);
  const best = days.reduce((highest, day) => (day.rows > highest.rows ? day : highest), first);
  return `${formatCount(total)} rows loaded from ${formatDay(first.date, now)} to ${formatDay(last.date, now)}; the most on ${formatDay(best.date, now)}, ${formatCount(best.rows)}.`;
}
