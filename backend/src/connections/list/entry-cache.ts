/** An entry takes about 3 kB. */
const MAX_ENTRIES = 2_000;
/** Days end at a quarter of an hour in all time zones. */
const QUARTER_HOUR_MS = 900_000;
/** For what has no revision: names of users, and slices of old runs that are deleted. */
const MAX_AGE_MS = 60_000;

interface Key {
  id: string;
  revision: string;
}

interface Cached {
  revision: string;
  json: string;
  until: number;
}

/**
 * Entries of the list of connections as JSON, as last computed. An entry is used only while the revision of its connection, which each
 * request reads, is the same. The least recently used are removed first.
 */
export class EntryCache {
  private readonly entries = new Map<string, Cached>();

  constructor(private readonly now: () => number = Date.now) {}

  get({ id, revision }: Key): string | undefined {
    const cached = this.entries.get(id);
    if (!cached || cached.revision !== revision || cached.until <= this.now()) return undefined;
    this.entries.delete(id);
    this.entries.set(id, cached);
    return cached.json;
  }

  /** @param readAt a time after the revision was read and before the entry was: the entry is at least as new as both */
  set({ id, revision }: Key, json: string, readAt: number): void {
    const until = Math.min(readAt + MAX_AGE_MS, (Math.floor(readAt / QUARTER_HOUR_MS) + 1) * QUARTER_HOUR_MS);
    this.entries.delete(id);
    this.entries.set(id, { revision, json, until });
    const [oldest] = this.entries.keys();
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest);
  }
}
