import { addDays, dayInTimeZone } from '../../connectors/kit/days.js';
import { previousRunAt, type Schedule } from './schedule.js';

const HOUR_MS = 3_600_000;
/** Time for a scheduled run with its pauses, before its data are late. */
export const RUN_HOURS = 6;
/** A manual schedule has no time: data are late after two days. */
export const MANUAL_HOURS = 48;

/**
 * The day up to which data should have arrived by now: the last day that was over in all time zones of the accounts when the
 * schedule last started a run that has had enough time to end. Null if the schedule does not define it.
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
    // An invalid schedule, which the scheduler reports: data are late after two days.
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
