export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** One event as it was received. Only compaction changes or removes events. */
export interface StoredEvent {
  event: string;
  /** Milliseconds since 1970, UTC. */
  time: number;
  distinctId: string;
  insertId: string;
  properties: Record<string, Json>;
  /** Milliseconds, unique among the events of a sandbox. */
  processedAt: number;
  /** Time from which queries and exports return it. */
  visibleAt: number;
}

/** Mixpanel's documented deduplication key: all four must be equal. */
export function keyOf({ event, distinctId, time, insertId }: StoredEvent): string {
  return JSON.stringify([event, distinctId, time, insertId]);
}

/** Queries return the version that was received last. */
export function deduplicate(events: StoredEvent[]): StoredEvent[] {
  const latest = new Map<string, StoredEvent>();
  for (const event of events) {
    const known = latest.get(keyOf(event));
    if (!known || known.processedAt <= event.processedAt) latest.set(keyOf(event), event);
  }
  return [...latest.values()];
}
