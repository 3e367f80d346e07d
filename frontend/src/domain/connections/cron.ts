import { Cron } from 'croner';

/** The shortest time between runs; the server has the same limit. */
const MIN_MINUTES = 15;
const CHECKED_RUNS = 200;
const FIELDS = 5;

const open = (cron: string, timeZone: string): Cron => new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });

/** Validates an expression; null when it is valid. The server checks more runs than this and decides. */
export function cronError(cron: string): string | null {
  if (cron.trim().split(/\s+/).length !== FIELDS) return 'Enter five fields: minute, hour, day, month, weekday';
  let runs: number[];
  try {
    runs = open(cron, 'UTC')
      .nextRuns(CHECKED_RUNS)
      .map((run) => run.getTime());
  } catch {
    return 'Enter a valid cron expression';
  }
  if (runs.length === 0) return 'This date does not exist. Change the day or the month';
  const isTooClose = runs.some((run, index) => run - (runs[index - 1] ?? -Infinity) < MIN_MINUTES * 60_000);
  return isTooClose ? `Leave at least ${MIN_MINUTES} minutes between runs` : null;
}

export const nextCronRuns = (cron: string, timeZone: string, now: Date, count = 3): Date[] =>
  open(cron, timeZone).nextRuns(count, now);
