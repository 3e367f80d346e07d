/** A page that reloads itself because a file of it is gone may do so once in this time; a second failure is shown instead. */
export const RELOAD_GUARD_MS = 10_000;

export const mayReload = (lastReloadAtMs: number | null, nowMs: number): boolean =>
  lastReloadAtMs === null || nowMs - lastReloadAtMs >= RELOAD_GUARD_MS;

/** What browsers say when a script of an older build is no longer there. */
export const isMissingChunk = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload|failed to load module script/i.test(
    error.message,
  );
