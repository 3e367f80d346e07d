import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidFault } from '../faults.ts';
import { keyOf, type StoredEvent } from './event.ts';
import type { ValidEvent } from './validate.ts';

const dayMs = 86_400_000;

/** The received events of every project, oldest first, including duplicates. Stored in a file if there is a data folder. */
export class EventStore {
  readonly #events = new Map<string, StoredEvent[]>();
  /** Ids that were merged into another one, by project. */
  readonly #merges = new Map<string, Map<string, string>>();
  readonly #file: string | null;
  /** The events that a project has from the start. */
  readonly #seed: (projectId: string) => StoredEvent[];
  #lastProcessedAt = 0;

  constructor(dataDir: string | undefined, seed: (projectId: string) => StoredEvent[]) {
    this.#seed = seed;
    this.#file = dataDir ? join(dataDir, 'events.jsonl') : null;
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    if (this.#file) this.#read(this.#file);
  }

  add(projectId: string, events: ValidEvent[], now: number, delayMs: number): void {
    const stored = events.map((event) => {
      this.#lastProcessedAt = Math.max(now, this.#lastProcessedAt + 1);
      return { ...event, processedAt: this.#lastProcessedAt, visibleAt: now + delayMs };
    });
    this.put(projectId, stored);
  }

  /** Adds events with the times of processing that a test chose. */
  put(projectId: string, events: StoredEvent[]): void {
    this.#of(projectId).push(...events);
    this.#append(projectId, events);
  }

  /** From now on, events of one user are returned with the id of another. The stored events do not change. */
  merge(projectId: string, from: string, into: string): void {
    const merges = this.#merges.get(projectId) ?? new Map<string, string>();
    if (this.canonicalId(projectId, into) === from) throw new InvalidFault(`${into} is merged into ${from} already`);
    merges.set(from, into);
    this.#merges.set(projectId, merges);
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify({ projectId, merge: { from, into } })}\n`);
  }

  /** The id under which Mixpanel shows a user today. */
  canonicalId(projectId: string, id: string): string {
    const into = this.#merges.get(projectId)?.get(id);
    return into === undefined ? id : this.canonicalId(projectId, into);
  }

  visible(projectId: string, now: number): StoredEvent[] {
    return this.#of(projectId).filter(({ visibleAt }) => visibleAt <= now);
  }

  /**
   * Simulates Mixpanel's compaction: of events with the same name, user and id on one calendar day, the latest is kept, whatever
   * their exact times.
   */
  compact(projectId: string): void {
    const latest = new Map<string, StoredEvent>();
    for (const event of this.#of(projectId)) {
      const distinctId = this.canonicalId(projectId, event.distinctId);
      const key = keyOf({ ...event, distinctId, time: Math.floor(event.time / dayMs) });
      if ((latest.get(key)?.processedAt ?? 0) <= event.processedAt) latest.set(key, event);
    }
    this.#events.set(projectId, [...latest.values()]);
    if (this.#file) writeFileSync(this.#file, this.#lines());
  }

  #of(projectId: string): StoredEvent[] {
    const known = this.#events.get(projectId);
    if (known) return known;
    const seeded = this.#seed(projectId);
    this.#events.set(projectId, seeded);
    this.#append(projectId, seeded);
    return seeded;
  }

  #append(projectId: string, events: StoredEvent[]): void {
    if (!this.#file || events.length === 0) return;
    appendFileSync(this.#file, events.map((event) => `${JSON.stringify({ projectId, event })}\n`).join(''));
  }

  #lines(): string {
    const merges = [...this.#merges].flatMap(([projectId, ids]) =>
      [...ids].map(([from, into]) => `${JSON.stringify({ projectId, merge: { from, into } })}\n`),
    );
    const events = [...this.#events].flatMap(([projectId, stored]) =>
      stored.map((event) => `${JSON.stringify({ projectId, event })}\n`),
    );
    return [...merges, ...events].join('');
  }

  #read(file: string): void {
    let text = '';
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      // No answer was sent yet.
    }
    for (const line of text.split('\n').filter((line) => line.endsWith('}'))) {
      const { projectId, event, merge } = JSON.parse(line) as {
        projectId: string;
        event?: StoredEvent;
        merge?: { from: string; into: string };
      };
      if (merge) {
        this.#merges.set(projectId, (this.#merges.get(projectId) ?? new Map<string, string>()).set(merge.from, merge.into));
        continue;
      }
      if (!event) continue;
      // Not by #of: stored events include the seeded ones.
      const known = this.#events.get(projectId) ?? [];
      known.push(event);
      this.#events.set(projectId, known);
      // Late events have a time in the future, which must not become that of the next import.
      if (event.processedAt <= Date.now()) this.#lastProcessedAt = Math.max(this.#lastProcessedAt, event.processedAt);
    }
  }
}
