import { dateFormat } from '~/lib/intl';

export interface Schedule {
  kind: 'manual' | 'interval' | 'daily' | 'cron';
  everyMinutes?: number;
  atTime?: string;
  cron?: string;
  /** For interval and cron: the earliest local time of day, `HH:MM`. */
  notBefore?: string;
  timeZone: string;
}

const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 1440;

/** The intervals to choose from. The server accepts 15 to 1440 minutes. */
export const INTERVALS_MINUTES = [15, 30, 60, 120, 180, 240, 360, 480, 720, 1440] as const;

export function describeInterval(everyMinutes: number): string {
  if (everyMinutes === MINUTES_PER_DAY) return '1 day';
  if (everyMinutes % 60 === 0) return everyMinutes === 60 ? '1 hour' : `${everyMinutes / 60} hours`;
  return `${everyMinutes} minutes`;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** One time of day, on one day of the week or from Monday to Friday. */
const WEEKLY_CRON = /^(\d{1,2}) (\d{1,2}) \* \* ([0-7]|1-5)$/;

/** `Mon 06:00`, `Weekdays 06:30`, or the expression of another schedule. */
function describeCron(cron: string): string {
  const [, minute, hour, day] = WEEKLY_CRON.exec(cron) ?? [];
  if (!minute || !hour || !day) return `Cron ${cron}`;
  return `${WEEKDAYS[Number(day)] ?? 'Weekdays'} ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

/** `Hourly`, `Every 6 h`, `Daily 05:00`, `Mon 06:00`, `Cron 0 6 1 * *`, `Manual` */
export function describeSchedule(schedule: Schedule): string {
  if (schedule.kind === 'manual') return 'Manual';
  if (schedule.kind === 'daily') return `Daily ${schedule.atTime ?? '00:00'}`;
  if (schedule.kind === 'cron') return describeCron(schedule.cron ?? '');
  const everyMinutes = schedule.everyMinutes ?? 60;
  if (everyMinutes === 60) return 'Hourly';
  return everyMinutes % 60 === 0 ? `Every ${everyMinutes / 60} h` : `Every ${everyMinutes} min`;
}

/** Returns `05:30` for `5:30` and `05:30`, and null for an invalid time of day. */
export function parseTimeOfDay(text: string): string | null {
  const [, hour, minute] = /^\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/.exec(text) ?? [];
  return hour && minute ? `${hour.padStart(2, '0')}:${minute}` : null;
}

function minuteOfDay(at: Date, timeZone: string): number {
  const [hour = 0, minute = 0] = dateFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
    .format(at)
    .split(':')
    .map(Number);
  return hour * 60 + minute;
}

function nextDaily(after: Date, atTime: string, timeZone: string): Date {
  const [hour = 0, minute = 0] = atTime.split(':').map(Number);
  const aheadMinutes = (hour * 60 + minute - minuteOfDay(after, timeZone) + MINUTES_PER_DAY) % MINUTES_PER_DAY || MINUTES_PER_DAY;
  return new Date(Math.floor(after.getTime() / MINUTE_MS + aheadMinutes) * MINUTE_MS);
}

const zoneName = (timeZone: string, at: Date): string =>
  dateFormat('en-US', { timeZone, timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;

/** `UTC`, `GMT+1`: the zone of a schedule's time of day; null if it shows none, or the reader's clock shows the same time. */
export function scheduleZone({ kind, notBefore, timeZone }: Schedule, readerZone: string, now: Date): string | null {
  const hasTime = kind === 'daily' || kind === 'cron' || notBefore !== undefined;
  if (!hasTime || timeZone === readerZone) return null;
  return minuteOfDay(now, timeZone) !== minuteOfDay(now, readerZone) ? zoneName(timeZone, now) : null;
}

interface NextRunsOptions {
  count?: number;
  /** The next run of a saved connection. */
  nextRunAt?: string | null;
}

/**
 * The next runs of a connection that is created now, or whose next run is known. Only for interval and daily schedules. A preview: when daylight saving time
 * changes, a daily run can be one hour off. The server computes the actual times.
 */
export function nextRuns(schedule: Schedule, now: Date, { count = 3, nextRunAt = null }: NextRunsOptions = {}): Date[] {
  if (schedule.kind === 'manual' || schedule.kind === 'cron') return [];
  const runs: Date[] = schedule.kind === 'interval' && nextRunAt !== null ? [new Date(nextRunAt)] : [];
  for (let last = runs[0] ?? now; runs.length < count; runs.push(last)) {
    last =
      schedule.kind === 'daily'
        ? nextDaily(last, schedule.atTime ?? '00:00', schedule.timeZone)
        : new Date(last.getTime() + (schedule.everyMinutes ?? 60) * MINUTE_MS);
  }
  return runs;
}
