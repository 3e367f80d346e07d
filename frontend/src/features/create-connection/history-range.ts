import { addDays, formatDay, localDay } from '~/lib/dates';

/** The server rejects earlier days. */
const OLDEST = '2000-01-01';

/** Allowed start dates: from the platform's earliest day or `OLDEST` to yesterday in the user's time zone. */
export const historyRange = (earliest: string | null, now: Date): { first: string; last: string } => ({
  first: earliest !== null && earliest > OLDEST ? earliest : OLDEST,
  last: addDays(localDay(now), -1),
});

/** Validation error of a start date, or null. */
export function historyError(historyFrom: string, earliest: string | null, now: Date): string | null {
  const { first, last } = historyRange(earliest, now);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(historyFrom);
  return isDay && historyFrom >= first && historyFrom <= last ? null : `Enter a date from ${formatDay(first, now)} to yesterday`;
}
