import { Cron } from 'croner';

/** As for intervals. */
const LEAST_MINUTES = 15;
/** Several days of even the densest schedule: enough to meet the two runs that are closest. A tenth of a second's work. */
const RUNS_LOOKED_AT = 500;
const FIELDS = 5;

/** Without seconds, years and nicknames, which the forms do not speak. */
const open = (cron: string, timeZone: string): Cron => new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });

/** What is wrong with an expression, to stand after its name; null when nothing is. In UTC, so that no clock change is counted. */
export function cronProblem(cron: string): string | null {
  if (cron.trim().split(/\s+/).length !== FIELDS)
    return 'must be minute, hour, day of the month, month and weekday, as in 30 6 * * 1-5';
  let runs: Date[];
  try {
    runs = open(cron, 'UTC').nextRuns(RUNS_LOOKED_AT);
  } catch {
    return 'is not a cron expression, as 30 6 * * 1-5 is';
  }
  if (runs.length === 0) return 'names a day that never comes';
  const isTooClose = runs.some((run, index) => index > 0 && minutesBetween(runs[index - 1], run) < LEAST_MINUTES);
  return isTooClose ? `must leave at least ${LEAST_MINUTES} minutes between runs` : null;
}

const minutesBetween = (before: Date | undefined, after: Date): number =>
  before ? (after.getTime() - before.getTime()) / 60_000 : Infinity;

export const nextCronRun = (cron: string, timeZone: string, after: Date): Date | null => open(cron, timeZone).nextRun(after);

/** Runs from one moment to another; of a dense schedule the rest is reckoned from what was looked at. */
export function countCronRuns(cron: string, from: Date, to: Date): number {
  const runs = open(cron, 'UTC').nextRuns(RUNS_LOOKED_AT, from);
  const last = runs.at(-1);
  if (!last || runs.length < RUNS_LOOKED_AT || last >= to) return runs.filter((run) => run < to).length;
  return Math.round((runs.length * (to.getTime() - from.getTime())) / (last.getTime() - from.getTime()));
}
