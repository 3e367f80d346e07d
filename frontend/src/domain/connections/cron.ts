import { Cron } from 'croner';

/** As the server asks, for intervals too. */
const LEAST_MINUTES = 15;
const RUNS_LOOKED_AT = 200;
const FIELDS = 5;

const open = (cron: string, timeZone: string): Cron => new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });

/** What is wrong with an expression; null when nothing is. The server looks further ahead and has the last word. */
export function cronError(cron: string): string | null {
  if (cron.trim().split(/\s+/).length !== FIELDS) return 'Five fields: minute, hour, day, month, weekday';
  let runs: number[];
  try {
    runs = open(cron, 'UTC')
      .nextRuns(RUNS_LOOKED_AT)
      .map((run) => run.getTime());
  } catch {
    return 'Not a cron expression';
  }
  if (runs.length === 0) return 'That day never comes';
  const isTooClose = runs.some((run, index) => run - (runs[index - 1] ?? -Infinity) < LEAST_MINUTES * 60_000);
  return isTooClose ? `Runs need ${LEAST_MINUTES} minutes between them` : null;
}

export const nextCronRuns = (cron: string, timeZone: string, now: Date, count = 3): Date[] =>
  open(cron, timeZone).nextRuns(count, now);
