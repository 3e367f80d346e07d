import { daysBetween, formatNearDay, localDay } from '~/lib/dates';

/** Calendar days from today to a moment, where the reader sits; 0 is today, less than 0 has passed. */
export const daysUntil = (at: string, now: Date): number => daysBetween(localDay(now), localDay(new Date(at)));

/** `today`, `tomorrow`, `in 5 days` */
export function inDays(at: string, now: Date): string {
  const days = daysUntil(at, now);
  return days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}

/** The day of a moment: `Thu, Nov 12` near today, otherwise `Nov 12`. */
export const formatDayOf = (at: string, now: Date): string => formatNearDay(localDay(new Date(at)), now);
