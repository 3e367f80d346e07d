import { addDays } from '../../connectors/kit/days.js';
import { momentInTimeZone } from '../../connectors/kit/moments.js';
import { dueThrough, MANUAL_HOURS, RUN_HOURS } from './due-through.js';
import { nextRunAt, type Schedule } from './schedule.js';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
/** Longer than any schedule can be later than estimated, except the rarest cron schedules. */
const SEARCHED_MS = 3 * 24 * HOUR_MS;

/**
 * When data whose newest complete day is `newest` become late: the first moment, to the second, with a later `dueThrough`. Null if
 * that is not known, because the schedule never starts again.
 */
export function lateAt(schedule: Schedule, timeZones: string[], newest: string, now: Date): Date | null {
  const isLate = (ms: number): boolean => (dueThrough(schedule, timeZones, new Date(ms)) ?? '') > newest;
  if (isLate(now.getTime())) return now;
  const estimate = estimateLateAt(schedule, timeZones, newest);
  if (estimate === null) return null;
  const guess = Math.max(estimate, now.getTime() + SECOND_MS);
  if (isLate(guess)) return new Date(isLate(guess - SECOND_MS) ? bisect(isLate, now.getTime(), guess) : guess);
  return new Date(isLate(guess + SEARCHED_MS) ? bisect(isLate, guess, guess + SEARCHED_MS) : guess + SEARCHED_MS);
}

/** The schedule's first start after the next day is over in all time zones, and the time that its run may take. */
function estimateLateAt(schedule: Schedule, timeZones: string[], newest: string): number | null {
  const overAt = Math.max(...timeZones.map((timeZone) => midnight(addDays(newest, 2), timeZone)));
  if (!Number.isFinite(overAt)) return null;
  if (schedule.kind === 'manual') return overAt + MANUAL_HOURS * HOUR_MS;
  if (schedule.kind === 'interval') return overAt + schedule.everyMinutes * 60 * SECOND_MS + RUN_HOURS * HOUR_MS;
  try {
    const start = nextRunAt(schedule, new Date(overAt - SECOND_MS));
    return start && start.getTime() + RUN_HOURS * HOUR_MS;
  } catch {
    return overAt + MANUAL_HOURS * HOUR_MS;
  }
}

function midnight(day: string, timeZone: string): number {
  try {
    return momentInTimeZone(day, '00:00', timeZone).getTime();
  } catch {
    return Date.parse(day);
  }
}

/** @param before a moment that is not late, and `after` one that is */
function bisect(isLate: (ms: number) => boolean, before: number, after: number): number {
  let [low, high] = [before, after];
  while (high - low > SECOND_MS) {
    const middle = Math.floor((low + high) / 2);
    if (isLate(middle)) high = middle;
    else low = middle;
  }
  return high;
}
