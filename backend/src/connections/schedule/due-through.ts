import { addDays, dayInTimeZone } from '../../connectors/kit/days.js';
import { previousRunAt, type Schedule } from './schedule.js';

const HOUR_MS = 3_600_000;
/** How long a scheduled run may take, with its pauses, before what it brings is late. */
const RUN_HOURS = 6;
/** A manual schedule sets no time: data are late after two days. */
const MANUAL_HOURS = 48;

/**
 * The day up to which data should have arrived by now: the last day that was over, wherever the accounts are, when the schedule last
 * started a run that had time to end. Null when the schedule cannot say.
 */
export function dueThrough(schedule: Schedule, timeZones: string[], now: Date): string | null {
  const startedAt = lastStart(schedule, now);
  if (!startedAt) return null;
  const days = timeZones.map((timeZone) => addDays(dayOf(startedAt, timeZone), -1));
  return days.sort()[0] ?? null;
}

function lastStart(schedule: Schedule, now: Date): Date | null {
  if (schedule.kind === 'manual') return new Date(now.getTime() - MANUAL_HOURS * HOUR_MS);
  try {
    return previousRunAt(schedule, new Date(now.getTime() - RUN_HOURS * HOUR_MS));
  } catch {
    // A schedule that became invalid, which the scheduler reports: two days are long enough.
    return new Date(now.getTime() - MANUAL_HOURS * HOUR_MS);
  }
}

function dayOf(moment: Date, timeZone: string): string {
  try {
    return dayInTimeZone(moment, timeZone);
  } catch {
    return dayInTimeZone(moment, 'UTC');
  }
}
