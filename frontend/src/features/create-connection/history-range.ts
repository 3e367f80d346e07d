import { addDays, formatDay, localDay } from '~/lib/dates';

/** The server takes no older day. */
const OLDEST = '2000-01-01';

/** The first days that can be asked for: from the platform's oldest, or the oldest at all, to yesterday where the reader is. */
export const historyRange = (earliest: string | null, now: Date): { first: string; last: string } => ({
  first: earliest !== null && earliest > OLDEST ? earliest : OLDEST,
  last: addDays(localDay(now), -1),
});

/** What is wrong with a first day; null when nothing is. */
export function historyError(historyFrom: string, earliest: string | null, now: Date): string | null {
  const { first, last } = historyRange(earliest, now);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(historyFrom);
  return isDay && historyFrom >= first && historyFrom <= last ? null : `Choose a day from ${formatDay(first, now)} to yesterday`;
}
