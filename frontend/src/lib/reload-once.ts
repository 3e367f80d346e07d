import { mayReload } from './reload-guard';

const RELOADED_AT = 'reloadedAt';

function lastReloadAtMs(): number | null {
  try {
    const text = sessionStorage.getItem(RELOADED_AT);
    return text === null ? null : Number(text);
  } catch {
    // Without storage a reload cannot be recorded, so the page never reloads.
    return Date.now();
  }
}

/** Reloads the page unless it reloaded recently (`RELOAD_GUARD_MS`). Returns whether it reloads. */
export function reloadOnce(): boolean {
  if (!mayReload(lastReloadAtMs(), Date.now())) return false;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
  return true;
}
