/** Of all entries: an entry has about 3,000 characters, and 100,000 if its source reads 500 accounts. */
const MAX_CHARACTERS = 8_000_000;
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
  private characters = 0;

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
    this.delete(id);
    this.entries.set(id, { revision, json, until });
    this.characters += json.length;
    for (const oldest of this.entries.keys()) {
      if (this.characters <= MAX_CHARACTERS) return;
      this.delete(oldest);
    }
  }

  private delete(id: string): void {
    this.characters -= this.entries.get(id)?.json.length ?? 0;
    this.entries.delete(id);
  }
}
