import { daysBetween, formatDay, formatTime, localDay } from '~/lib/dates';

/** An expiry within this many days is shown in days, a later one as a date. */
const COUNTED_DAYS = 30;

/** For a value with its own "Expires" label: `in 6 days`, `tomorrow`, `Dec 30`. */
export const formatExpiryShort = (at: string, now: Date): string => formatExpiry(at, now).replace(/^Expires /, '');

/** `Expires in 6 days`, `Expires tomorrow`, `Expires today, 14:02`, `Expires Dec 30`, `Expired Nov 3`. */
export function formatExpiry(at: string, now: Date): string {
  const day = localDay(new Date(at));
  if (Date.parse(at) <= now.getTime()) return `Expired ${formatDay(day, now)}`;
  const ahead = daysBetween(localDay(now), day);
  if (ahead === 0) return `Expires today, ${formatTime(at)}`;
  if (ahead === 1) return 'Expires tomorrow';
  return ahead <= COUNTED_DAYS ? `Expires in ${ahead} days` : `Expires ${formatDay(day, now)}`;
}
