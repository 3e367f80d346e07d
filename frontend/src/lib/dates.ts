import { dateFormat } from './intl';

/** Calendar days have the form `YYYY-MM-DD` and are in the ad account's time zone. They are never converted to the user's time zone. */
const DAY_MS = 86_400_000;

const dayAsUtc = (day: string): Date => new Date(`${day}T00:00:00Z`);
const format = (date: Date, options: Intl.DateTimeFormatOptions): string => dateFormat('en-US', options).format(date);

/** Today's date in the user's time zone. */
export const localDay = (now: Date): string => dateFormat('en-CA', { dateStyle: 'short' }).format(now);

/** The moment at which a day of the user's time zone starts. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** Today's date in a time zone. */
export const dayIn = (timeZone: string, now: Date): string => dateFormat('en-CA', { dateStyle: 'short', timeZone }).format(now);

export const addDays = (day: string, days: number): string =>
  new Date(dayAsUtc(day).getTime() + days * DAY_MS).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.round((dayAsUtc(to).getTime() - dayAsUtc(from).getTime()) / DAY_MS);

/** `Nov 18`; with the year when it is not the current one. */
export function formatDay(day: string, now: Date): string {
  const isThisYear = day.slice(0, 4) === localDay(now).slice(0, 4);
  return format(dayAsUtc(day), { timeZone: 'UTC', month: 'short', day: 'numeric', ...(isThisYear ? {} : { year: 'numeric' }) });
}

/** `Tue, Nov 17` within a week of today, otherwise as `formatDay`. */
export function formatNearDay(day: string, now: Date): string {
  if (Math.abs(daysBetween(day, localDay(now))) > 7) return formatDay(day, now);
  return format(dayAsUtc(day), { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' });
}

/** `Nov 13 – 20`, `Oct 29 – Nov 2`; `Nov 18` when both days are the same. */
export function formatDayRange(from: string, to: string, now: Date): string {
  if (from === to) return formatDay(from, now);
  const isSameMonth = from.slice(0, 7) === to.slice(0, 7);
  const isThisYear = to.slice(0, 4) === localDay(now).slice(0, 4);
  if (isSameMonth && isThisYear) return `${formatDay(from, now)} – ${Number(to.slice(8))}`;
  return `${formatDay(from, now)} – ${formatDay(to, now)}`;
}

/** `14:02`, in the user's time zone by default. */
export const formatTime = (at: string, timeZone?: string): string =>
  format(new Date(at), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });

export const formatTimeWithSeconds = (at: string): string =>
  format(new Date(at), { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** `Tue, Nov 17, 14:02` */
export const formatMoment = (at: string, now: Date): string => `${formatNearDay(localDay(new Date(at)), now)}, ${formatTime(at)}`;

/** The exact time for the tooltip of a relative time: `Tue, Nov 17, 2026, 14:02:09 GMT+1`. */
export const formatExact = (at: string): string =>
  format(new Date(at), {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });

/** The heading of a day in a list: `Today, Fri Nov 20`. */
export function formatDayHeading(day: string, now: Date): string {
  const age = daysBetween(day, localDay(now));
  const date = format(dayAsUtc(day), { timeZone: 'UTC', weekday: 'short' }) + ' ' + formatDay(day, now);
  return age === 0 ? `Today, ${date}` : age === 1 ? `Yesterday, ${date}` : date;
}

export const readerTimeZone = (): string => dateFormat('en-US', {}).resolvedOptions().timeZone;
