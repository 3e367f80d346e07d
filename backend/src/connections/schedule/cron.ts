import { Cron } from 'croner';

/** Same minimum as for intervals. */
const MIN_MINUTES = 15;
/** Several days of the densest schedule. Takes 0.1 seconds, so it is not used for repeated calls. */
const MAX_COUNTED_RUNS = 500;
const DAY_MS = 86_400_000;
const FIELDS = 5;

/** Without seconds, years and nicknames, which the forms do not support. */
const open = (cron: string, timeZone: string): Cron => new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });

/** The problem of an expression, to follow its field name; null if it is valid. In UTC, so that clock changes do not count. */
export function cronProblem(cron: string): string | null {
  const [minute, hour, ...days] = cron.trim().split(/\s+/);
  if (days.length !== FIELDS - 2) return 'must be minute, hour, day of the month, month and weekday, such as 30 6 * * 1-5';
  try {
    if (!open(cron, 'UTC').nextRun()) return 'names a day that does not exist';
    return isTooDense(`${minute} ${hour} * * *`) ? `must leave at least ${MIN_MINUTES} minutes between runs` : null;
  } catch {
    return 'is not a cron expression such as 30 6 * * 1-5';
  }
}

/**
 * Checks the runs of one day and the next, as if the schedule ran every day: at most 100 runs, because every request pays for it.
 */
function isTooDense(eachDay: string): boolean {
  const schedule = open(eachDay, 'UTC');
  const begin = Date.UTC(2001, 0, 1);
  let run = schedule.nextRun(new Date(begin - 1));
  while (run && run.getTime() < begin + DAY_MS) {
    const next = schedule.nextRun(run);
    if (next && minutesBetween(run, next) < MIN_MINUTES) return true;
    run = next;
  }
  return false;
}

const minutesBetween = (before: Date, after: Date): number => (after.getTime() - before.getTime()) / 60_000;

export const nextCronRun = (cron: string, timeZone: string, after: Date): Date | null => open(cron, timeZone).nextRun(after);

export const previousCronRun = (cron: string, timeZone: string, before: Date): Date | null =>
  open(cron, timeZone).previousRuns(1, before)[0] ?? null;

/** Runs between two times. For a dense schedule, extrapolated from the first runs. */
export function countCronRuns(cron: string, from: Date, to: Date): number {
  const runs = open(cron, 'UTC').nextRuns(MAX_COUNTED_RUNS, from);
  const last = runs.at(-1);
  if (!last || runs.length < MAX_COUNTED_RUNS || last >= to) return runs.filter((run) => run < to).length;
  return Math.round((runs.length * (to.getTime() - from.getTime())) / (last.getTime() - from.getTime()));
}
