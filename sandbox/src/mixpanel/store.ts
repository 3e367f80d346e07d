import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf, type StoredEvent } from './event.ts';
import type { ValidEvent } from './validate.ts';

const dayMs = 86_400_000;

/** The received events of every project, oldest first, including duplicates. Stored in a file if there is a data folder. */
export class EventStore {
  readonly #events = new Map<string, StoredEvent[]>();
  readonly #file: string | null;
  #lastProcessedAt = 0;

  constructor(dataDir: string | undefined) {
    this.#file = dataDir ? join(dataDir, 'events.jsonl') : null;
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    if (this.#file) this.#read(this.#file);
  }

  add(projectId: string, events: ValidEvent[], now: number, delayMs: number): void {
    const stored = events.map((event) => {
      this.#lastProcessedAt = Math.max(now, this.#lastProcessedAt + 1);
      return { ...event, processedAt: this.#lastProcessedAt, visibleAt: now + delayMs };
    });
    this.#of(projectId).push(...stored);
    if (this.#file && stored.length > 0)
      appendFileSync(this.#file, stored.map((event) => `${JSON.stringify({ projectId, event })}\n`).join(''));
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
    for (const event of this.#of(projectId)) latest.set(keyOf({ ...event, time: Math.floor(event.time / dayMs) }), event);
    this.#events.set(projectId, [...latest.values()]);
    if (this.#file) writeFileSync(this.#file, this.#lines());
  }

  #of(projectId: string): StoredEvent[] {
    const events = this.#events.get(projectId) ?? [];
    this.#events.set(projectId, events);
    return events;
  }

  #lines(): string {
    return [...this.#events]
      .flatMap(([projectId, events]) => events.map((event) => `${JSON.stringify({ projectId, event })}\n`))
      .join('');
  }

  #read(file: string): void {
    let text = '';
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      // No answer was sent yet.
    }
    for (const line of text.split('\n').filter((line) => line.endsWith('}'))) {
      const { projectId, event } = JSON.parse(line) as { projectId: string; event: StoredEvent };
      this.#of(projectId).push(event);
      this.#lastProcessedAt = Math.max(this.#lastProcessedAt, event.processedAt);
    }
  }
}
