import { setImmediate } from 'node:timers/promises';

/** A lookup that takes longer, for example on a broken connection, no longer delays the next one. */
const MAX_DELAY_MS = 100;

interface Batch<Key, Found> {
  keys: Map<string, Key>;
  found: Promise<Map<string, Found>>;
}

/**
 * Looks up many keys at once. Keys requested while a lookup is in progress wait for the next one, so a result is never older than its
 * request. Without concurrent requests each key is looked up immediately.
 */
export class BatchedLookup<Key, Found> {
  private next: Batch<Key, Found> | undefined;
  private current: Promise<unknown> = Promise.resolve();

  /** @param lookUp returns what it found by id of the key */
  constructor(
    private readonly idOf: (key: Key) => string,
    private readonly lookUp: (keys: Key[]) => Promise<Map<string, Found>>,
    private readonly maxDelayMs = MAX_DELAY_MS,
  ) {}

  async find(key: Key): Promise<Found | null> {
    const id = this.idOf(key);
    this.next ??= this.planned();
    this.next.keys.set(id, key);
    return (await this.next.found).get(id) ?? null;
  }

  private planned(): Batch<Key, Found> {
    const keys = new Map<string, Key>();
    const found = this.current
      .then(() => setImmediate())
      .then(() => {
        this.next = undefined;
        const result = this.lookUp([...keys.values()]);
        this.current = this.endOf(result);
        return result;
      });
    return { keys, found };
  }

  /** Resolves when the lookup has ended, or takes too long. */
  private endOf(lookup: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.maxDelayMs).unref();
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      lookup.then(end, end);
    });
  }
}
