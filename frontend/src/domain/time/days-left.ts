import { daysBetween, formatNearDay, localDay } from '~/lib/dates';

/** Calendar days from today to a timestamp, in the user's time zone. 0 is today, a negative number is in the past. */
export const daysUntil = (at: string, now: Date): number => daysBetween(localDay(now), localDay(new Date(at)));

/** `today`, `tomorrow`, `in 5 days` */
export function inDays(at: string, now: Date): string {
  const days = daysUntil(at, now);
  return days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}

/** The day of a timestamp: `Thu, Nov 12` within a week of today, otherwise `Nov 12`. */
export const formatDayOf = (at: string, now: Date): string => formatNearDay(localDay(new Date(at)), now);
