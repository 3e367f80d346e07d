const DAY_MS = 86_400_000;

/** Whichever is reached first, of failed runs in a row or days since the first of them. */
const WARNING = { failures: 20, days: 4 };
export const PAUSE = { failures: 30, days: 7 };

/** The failed runs since the last run that did not fail, or since a user resumed the connection. */
export interface Streak {
  failures: number;
  failingSince: Date;
}

export function verdictOn(streak: Streak, now: Date): 'none' | 'warn' | 'pause' {
  if (isReached(PAUSE, streak, now)) return 'pause';
  return isReached(WARNING, streak, now) ? 'warn' : 'none';
}

const isReached = (limit: typeof WARNING, { failures, failingSince }: Streak, now: Date): boolean =>
  failures >= limit.failures || (failures > 0 && now.getTime() - failingSince.getTime() >= limit.days * DAY_MS);
