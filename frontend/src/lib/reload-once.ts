import { mayReload } from './reload-guard';

const RELOADED_AT = 'reloadedAt';

function lastReloadAtMs(): number | null {
  try {
    const text = sessionStorage.getItem(RELOADED_AT);
    return text === null ? null : Number(text);
  } catch {
    // Where storage is forbidden no reload can be remembered, so none is made.
    return Date.now();
  }
}

/** Loads the page anew, unless it did so within the guard's time; says whether it does. */
export function reloadOnce(): boolean {
  if (!mayReload(lastReloadAtMs(), Date.now())) return false;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
  return true;
}
