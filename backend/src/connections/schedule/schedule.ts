import { z } from 'zod';
import { jsonColumn } from '../../core/database/json-column.js';
import { countCronRuns, nextCronRun, previousCronRun } from './cron.js';
import { dayInTimeZone, addDays } from '../../connectors/kit/days.js';
import { momentInTimeZone } from '../../connectors/kit/moments.js';

const DAY_MS = 86_400_000;

export type Schedule =
  | { kind: 'manual'; timeZone: string }
  | { kind: 'interval'; everyMinutes: number; timeZone: string; notBefore?: string }
  | { kind: 'daily'; atTime: string; timeZone: string }
  | { kind: 'cron'; cron: string; timeZone: string; notBefore?: string };

const timeZone = z.string();
const notBefore = z.string().optional();

/** `connections.schedule` and `conversions.schedule` */
export const scheduleColumn = jsonColumn<Schedule>(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('manual'), timeZone }),
    z.object({ kind: z.literal('interval'), everyMinutes: z.number(), timeZone, notBefore }),
    z.object({ kind: z.literal('daily'), atTime: z.string(), timeZone }),
    z.object({ kind: z.literal('cron'), cron: z.string(), timeZone, notBefore }),
  ]),
);

/** When the schedule starts its next run, strictly after `after`; null for manual. Runs before `notBefore` wait for it. */
export function nextRunAt(schedule: Schedule, after: Date): Date | null {
  const next = nextMoment(schedule, after);
  const opening = next && openingOf(schedule, next);
  return opening && next < opening ? opening : next;
}

/** The time on that day before which no run starts; null if the schedule has none. */
const openingOf = (schedule: Schedule, moment: Date): Date | null =>
  'notBefore' in schedule && schedule.notBefore !== undefined
    ? momentInTimeZone(dayInTimeZone(moment, schedule.timeZone), schedule.notBefore, schedule.timeZone)
    : null;

function nextMoment(schedule: Schedule, after: Date): Date | null {
  if (schedule.kind === 'manual') return null;
  if (schedule.kind === 'interval') return new Date(after.getTime() + schedule.everyMinutes * 60_000);
  if (schedule.kind === 'cron') return nextCronRun(schedule.cron, schedule.timeZone, after);
  const today = dayInTimeZone(after, schedule.timeZone);
  const candidate = momentInTimeZone(today, schedule.atTime, schedule.timeZone);
  return candidate > after ? candidate : momentInTimeZone(addDays(today, 1), schedule.atTime, schedule.timeZone);
}

/** When the schedule last started a run, at `before` or earlier; null for manual schedules and if it never did. */
export function previousRunAt(schedule: Schedule, before: Date): Date | null {
  const previous = previousMoment(schedule, before);
  const opening = previous && openingOf(schedule, previous);
  if (!opening || previous >= opening) return previous;
  // The run waited for `notBefore`. If that is still ahead, the last run was on an earlier day.
  if (before >= opening) return opening;
  const midnight = momentInTimeZone(dayInTimeZone(previous, schedule.timeZone), '00:00', schedule.timeZone);
  return previousRunAt(schedule, new Date(midnight.getTime() - 1));
}

function previousMoment(schedule: Schedule, before: Date): Date | null {
  if (schedule.kind === 'manual') return null;
  if (schedule.kind === 'interval') return new Date(before.getTime() - schedule.everyMinutes * 60_000);
  if (schedule.kind === 'cron') return previousCronRun(schedule.cron, schedule.timeZone, before);
  const today = dayInTimeZone(before, schedule.timeZone);
  const candidate = momentInTimeZone(today, schedule.atTime, schedule.timeZone);
  return candidate <= before ? candidate : momentInTimeZone(addDays(today, -1), schedule.atTime, schedule.timeZone);
}

/** Number of runs in the next 30 days. For cron schedules with `notBefore` an upper limit. */
export function runsPerMonth(schedule: Schedule, now = new Date()): number {
  if (schedule.kind === 'manual') return 0;
  if (schedule.kind === 'cron') return countCronRuns(schedule.cron, now, new Date(now.getTime() + 30 * DAY_MS));
  if (schedule.kind === 'daily') return 30;
  const [hours = 0, minutes = 0] = (schedule.notBefore ?? '00:00').split(':').map(Number);
  return Math.round((30 * (24 * 60 - hours * 60 - minutes)) / schedule.everyMinutes);
}
