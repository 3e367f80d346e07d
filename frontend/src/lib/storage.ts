/** Storage that never throws. Where the browser blocks it, reads return null and writes do nothing. */
const safe = (of: () => Storage) => ({
  get: (key: string): string | null => {
    try {
      return of().getItem(key);
    } catch {
      return null;
    }
  },
  set: (key: string, value: string): void => {
    try {
      of().setItem(key, value);
    } catch {
      // Private windows and full disks: the page works without stored data.
    }
  },
  remove: (key: string): void => {
    try {
      of().removeItem(key);
    } catch {
      // See `set`.
    }
  },
  removePrefixes: (...prefixes: string[]): void => {
    try {
      for (const key of Object.keys(of())) if (prefixes.some((prefix) => key.startsWith(prefix))) of().removeItem(key);
    } catch {
      // See `set`.
    }
  },
});

/** Shared by all tabs. */
export const storage = safe(() => localStorage);
/** Of this tab only. */
export const tabStorage = safe(() => sessionStorage);

export function readJson<T>(key: string, isValid: (value: unknown) => value is T): T | null {
  const text = storage.get(key);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isValid(value) ? value : null;
  } catch {
    return null;
  }
}
