export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** One event as it was taken in; nothing is ever changed or removed but by compaction. */
export interface StoredEvent {
  event: string;
  /** Milliseconds since 1970, UTC. */
  time: number;
  distinctId: string;
  insertId: string;
  properties: Record<string, Json>;
  /** Milliseconds; no two events of a sandbox share one. */
  processedAt: number;
  /** From when on queries and exports show it. */
  visibleAt: number;
}

/** Mixpanel's documented key: all four have to be the same. */
export function keyOf({ event, distinctId, time, insertId }: StoredEvent): string {
  return JSON.stringify([event, distinctId, time, insertId]);
}

/** At query time the version that was taken in last is shown. */
export function deduplicate(events: StoredEvent[]): StoredEvent[] {
  const latest = new Map<string, StoredEvent>();
  for (const event of events) {
    const known = latest.get(keyOf(event));
    if (!known || known.processedAt <= event.processedAt) latest.set(keyOf(event), event);
  }
  return [...latest.values()];
}
