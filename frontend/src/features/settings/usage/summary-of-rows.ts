import type { Usage } from '~/api/types';
import { formatDay } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';

/** Text equivalent of the chart. */
export function summaryOfRows(days: Usage['rowsByDay'], now: Date): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return 'No data has been loaded yet.';
  const total = days.reduce((sum, { rows }) => sum + rows, 0);
  const best = days.reduce((highest, day) => (day.rows > highest.rows ? day : highest), first);
  const range = `${formatDay(first.date, now)} to ${formatDay(last.date, now)}`;
  return `${formatCount(total)} rows loaded from ${range}. Maximum: ${formatCount(best.rows)} rows on ${formatDay(best.date, now)}.`;
}
