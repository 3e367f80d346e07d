const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const padTwo = (value: number) => String(value).padStart(2, '0');

/** `180 ms`, `9 s`, `6 min 12 s`, `1 h 06 min` */
export function formatDuration(durationMs: number): string {
  if (durationMs < SECOND) return `${Math.round(durationMs)} ms`;
  if (durationMs < MINUTE) return `${Math.round(durationMs / SECOND)} s`;
  if (durationMs < HOUR) return `${Math.floor(durationMs / MINUTE)} min ${padTwo(Math.floor((durationMs % MINUTE) / SECOND))} s`;
  return `${Math.floor(durationMs / HOUR)} h ${padTwo(Math.floor((durationMs % HOUR) / MINUTE))} min`;
}

/** `About 1 min left`; null until there is enough progress for an estimate. */
export function formatTimeLeft(elapsedMs: number, done: number, total: number): string | null {
  if (done <= 0 || total <= 0 || done >= total || elapsedMs <= 0) return null;
  const leftMs = (elapsedMs / done) * (total - done);
  if (leftMs < 50 * SECOND) return 'Less than 1 min left';
  if (leftMs < HOUR) return `About ${Math.max(1, Math.round(leftMs / MINUTE))} min left`;
  return `About ${formatDuration(leftMs)} left`;
}

/** An estimated duration: `6 min`, `5 h 30 min`. */
export const formatMinutes = (minutes: number): string =>
  minutes < 1 ? 'Under 1 min' : minutes < 60 ? `${Math.round(minutes)} min` : formatDuration(minutes * MINUTE);

export const millisecondsBetween = (startedAt: string | null, endedAt: string | null, now: Date): number | null =>
  startedAt === null ? null : (endedAt === null ? now.getTime() : Date.parse(endedAt)) - Date.parse(startedAt);
