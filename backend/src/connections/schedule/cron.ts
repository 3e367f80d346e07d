import { Cron } from 'croner';

/** As for intervals. */
const LEAST_MINUTES = 15;
/** Several days of even the densest schedule. A tenth of a second's work: only for what nobody waits for in a row. */
const RUNS_LOOKED_AT = 500;
const DAY_MS = 86_400_000;
const FIELDS = 5;

/** Without seconds, years and nicknames, which the forms do not speak. */
const open = (cron: string, timeZone: string): Cron => new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });

/** What is wrong with an expression, to stand after its name; null when nothing is. In UTC, so that no clock change is counted. */
export function cronProblem(cron: string): string | null {
  const [minute, hour, ...days] = cron.trim().split(/\s+/);
  if (days.length !== FIELDS - 2) return 'must be minute, hour, day of the month, month and weekday, as in 30 6 * * 1-5';
  try {
    if (!open(cron, 'UTC').nextRun()) return 'names a day that never comes';
    return isTooDense(`${minute} ${hour} * * *`) ? `must leave at least ${LEAST_MINUTES} minutes between runs` : null;
  } catch {
    return 'is not a cron expression, as 30 6 * * 1-5 is';
  }
}

/** Within one day and into the next, as if every day were one of its days: a hundred runs at most, for every call pays for this. */
function isTooDense(eachDay: string): boolean {
  const schedule = open(eachDay, 'UTC');
  const begin = Date.UTC(2001, 0, 1);
  let run = schedule.nextRun(new Date(begin - 1));
  while (run && run.getTime() < begin + DAY_MS) {
    const next = schedule.nextRun(run);
    if (next && minutesBetween(run, next) < LEAST_MINUTES) return true;
    run = next;
  }
  return false;
}

const minutesBetween = (before: Date, after: Date): number => (after.getTime() - before.getTime()) / 60_000;

export const nextCronRun = (cron: string, timeZone: string, after: Date): Date | null => open(cron, timeZone).nextRun(after);

export const previousCronRun = (cron: string, timeZone: string, before: Date): Date | null =>
  open(cron, timeZone).previousRuns(1, before)[0] ?? null;

/** Runs from one moment to another; of a dense schedule the rest is reckoned from what was looked at. */
export function countCronRuns(cron: string, from: Date, to: Date): number {
  const runs = open(cron, 'UTC').nextRuns(RUNS_LOOKED_AT, from);
  const last = runs.at(-1);
  if (!last || runs.length < RUNS_LOOKED_AT || last >= to) return runs.filter((run) => run < to).length;
  return Math.round((runs.length * (to.getTime() - from.getTime())) / (last.getTime() - from.getTime()));
}
