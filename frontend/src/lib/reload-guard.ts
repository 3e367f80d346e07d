/** A page with a missing file reloads at most once in this time. A second failure is shown as an error. */
export const RELOAD_GUARD_MS = 10_000;

export const mayReload = (lastReloadAtMs: number | null, nowMs: number): boolean =>
  lastReloadAtMs === null || nowMs - lastReloadAtMs >= RELOAD_GUARD_MS;

/** Whether a browser failed to load a script that a newer build has replaced. */
export const isMissingChunk = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload|failed to load module script/i.test(
    error.message,
  );
