import { countCronRuns, nextCronRun, previousCronRun } from './cron.js';
import { dayInTimeZone, addDays } from '../../connectors/kit/days.js';

const DAY_MS = 86_400_000;

export type Schedule =
  | { kind: 'manual'; timeZone: string }
  | { kind: 'interval'; everyMinutes: number; timeZone: string }
  | { kind: 'daily'; atTime: string; timeZone: string }
  | { kind: 'cron'; cron: string; timeZone: string };

/** When the schedule starts its next run, strictly after `after`; null for manual. */
export function nextRunAt(schedule: Schedule, after: Date): Date | null {
  if (schedule.kind === 'manual') return null;
  if (schedule.kind === 'interval') return new Date(after.getTime() + schedule.everyMinutes * 60_000);
  if (schedule.kind === 'cron') return nextCronRun(schedule.cron, schedule.timeZone, after);
  const today = dayInTimeZone(after, schedule.timeZone);
  const candidate = momentInTimeZone(today, schedule.atTime, schedule.timeZone);
  return candidate > after ? candidate : momentInTimeZone(addDays(today, 1), schedule.atTime, schedule.timeZone);
}

/** When the schedule last started a run, at `before` or earlier; null for manual schedules and if it never did. */
export function previousRunAt(schedule: Schedule, before: Date): Date | null {
  if (schedule.kind === 'manual') return null;
  if (schedule.kind === 'interval') return new Date(before.getTime() - schedule.everyMinutes * 60_000);
  if (schedule.kind === 'cron') return previousCronRun(schedule.cron, schedule.timeZone, before);
  const today = dayInTimeZone(before, schedule.timeZone);
  const candidate = momentInTimeZone(today, schedule.atTime, schedule.timeZone);
  return candidate <= before ? candidate : momentInTimeZone(addDays(today, -1), schedule.atTime, schedule.timeZone);
}

/** Number of runs in the next 30 days. */
export function runsPerMonth(schedule: Schedule, now = new Date()): number {
  if (schedule.kind === 'manual') return 0;
  if (schedule.kind === 'cron') return countCronRuns(schedule.cron, now, new Date(now.getTime() + 30 * DAY_MS));
  return schedule.kind === 'daily' ? 30 : Math.round((30 * 24 * 60) / schedule.everyMinutes);
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Converts a local time to a moment. Computed twice, because the first offset may be the one before a clock change. */
function momentInTimeZone(day: string, time: string, timeZone: string): Date {
  const wallClock = Date.parse(`${day}T${time}:00Z`);
  const guess = wallClock - offsetMs(new Date(wallClock), timeZone);
  return new Date(wallClock - offsetMs(new Date(guess), timeZone));
}

/** Cached, because creating one takes a millisecond and memory outside of the heap. There are about 600 time zones. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function offsetMs(moment: Date, timeZone: string): number {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formatters.set(timeZone, formatter);
  }
  const shown = formatter.format(moment);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(moment.getTime() / 1_000) * 1_000;
}
