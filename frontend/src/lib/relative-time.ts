import { daysBetween, formatDay, formatTime, localDay } from './dates';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const distance = (ms: number): string =>
  ms < HOUR_MS ? `${Math.max(1, Math.round(ms / MINUTE_MS))} min` : `${Math.floor(ms / HOUR_MS)} h`;

/**
 * Up to a week: `14 min ago`, `yesterday`, `3 days ago`; then the date. A time of outside data can be in the future; less than a minute
 * is only a difference of clocks.
 */
export function formatPast(at: string, now: Date): string {
  const ageMs = now.getTime() - Date.parse(at);
  if (ageMs <= -MINUTE_MS) return formatFuture(at, now);
  if (ageMs < MINUTE_MS) return 'just now';
  const day = localDay(new Date(at));
  const ageDays = daysBetween(day, localDay(now));
  if (ageDays === 0 || ageMs < 12 * HOUR_MS) return `${distance(ageMs)} ago`;
  return formatPastDay(day, now);
}

/** The age of a calendar day: `today`, `yesterday`, `3 days ago`, `50 days ago`. */
export function formatDayAge(day: string, now: Date): string {
  const age = daysBetween(day, localDay(now));
  return age <= 0 ? 'today' : age === 1 ? 'yesterday' : `${age} days ago`;
}

export const formatPastDay = (day: string, now: Date): string =>
  daysBetween(day, localDay(now)) <= 7 ? formatDayAge(day, now) : formatDay(day, now);

/** A future time: `in 38 min`, `Tomorrow 05:00`, `Nov 30, 05:00`. */
export function formatFuture(at: string, now: Date): string {
  const aheadMs = Date.parse(at) - now.getTime();
  if (aheadMs <= 0) return 'now';
  if (aheadMs < MINUTE_MS) return 'in less than 1 min';
  const day = localDay(new Date(at));
  const ahead = daysBetween(localDay(now), day);
  if (ahead === 0 || aheadMs < 6 * HOUR_MS) return `in ${distance(aheadMs)}`;
  if (ahead === 1) return `Tomorrow ${formatTime(at)}`;
  return `${formatDay(day, now)}, ${formatTime(at)}`;
}
