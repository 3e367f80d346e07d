export interface StoredSize {
  id: string;
  bytes: number;
  storedAtMs: number;
}

/** The entries to delete so that the rest has at most `limitBytes`: the oldest ones. */
export function entriesToEvict(entries: readonly StoredSize[], limitBytes: number): string[] {
  const newestFirst = entries.toSorted((one, other) => other.storedAtMs - one.storedAtMs);
  let total = 0;
  return newestFirst
    .filter(({ bytes }) => {
      total += bytes;
      return total > limitBytes;
    })
    .map(({ id }) => id);
}
