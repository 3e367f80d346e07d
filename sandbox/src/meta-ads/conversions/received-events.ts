import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canMatch, type Json, type ServerEvent } from './events.ts';

/** rejected: with its whole batch. lost: acknowledged and not stored, by a fault. */
export type Outcome = 'counted' | 'duplicate' | 'rejected' | 'lost';

export interface ReceivedEvent {
  datasetId: string;
  channel: 'server' | 'browser';
  outcome: Outcome;
  /** Subcode that rejected its batch, or the code if there is none. */
  rejectedBy?: number;
  /** Milliseconds in the sandbox's time. */
  receivedAt: number;
  /** Of a test event. It counts like every other event. */
  testEventCode?: string;
  name: string | null;
  id: string | null;
  isMatched: boolean;
  /** As it was sent. */
  event: unknown;
}

const duplicateMs = 48 * 3_600_000;

/** Every event that arrived, oldest first. Stored in a file if there is a data folder. */
export class ReceivedEvents {
  readonly #events: ReceivedEvent[] = [];
  /** Counted events by dataset, name and id. */
  readonly #counted = new Map<string, ReceivedEvent[]>();
  readonly #file: string | null;

  constructor(dataDir: string | undefined) {
    this.#file = dataDir ? join(dataDir, 'received-events.jsonl') : null;
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    if (this.#file) this.#read(this.#file);
  }

  list(datasetId: string | null): ReceivedEvent[] {
    return this.#events.filter((event) => datasetId === null || event.datasetId === datasetId);
  }

  /** A batch that was accepted. The last `lostCount` events are not stored. */
  accept(batch: Batch, events: ServerEvent[], sent: unknown[], lostCount: number, comparesServerEvents: boolean): void {
    const storedCount = events.length - lostCount;
    for (const [index, event] of events.entries()) {
      const isDuplicate = this.#isDuplicate(batch, event, comparesServerEvents);
      const outcome = index >= storedCount ? 'lost' : isDuplicate ? 'duplicate' : 'counted';
      const { name, id, userData } = event;
      this.#add({ ...batch, outcome, name, id, isMatched: canMatch(userData), event: sent[index] });
    }
  }

  reject(batch: Batch, sent: unknown[], rejectedBy: number): void {
    for (const event of sent) {
      const { event_name: name, event_id: id } = (event ?? {}) as Json;
      const texts = { name: typeof name === 'string' ? name : null, id: typeof id === 'string' ? id : null };
      this.#add({ ...batch, ...texts, outcome: 'rejected', rejectedBy, isMatched: false, event });
    }
  }

  /** Only browser and server events are compared. That Meta discards the second of two server events is not promised anywhere. */
  #isDuplicate({ datasetId, channel, receivedAt }: Batch, { name, id }: ServerEvent, comparesServerEvents: boolean): boolean {
    const equals = id === null ? [] : (this.#counted.get(keyOf(datasetId, name, id)) ?? []);
    return equals.some(
      (other) => (other.channel !== channel || comparesServerEvents) && Math.abs(receivedAt - other.receivedAt) < duplicateMs,
    );
  }

  #add(event: ReceivedEvent): void {
    this.#remember(event);
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(event)}\n`);
  }

  #remember(event: ReceivedEvent): void {
    this.#events.push(event);
    if (event.outcome !== 'counted' || event.name === null || event.id === null) return;
    const key = keyOf(event.datasetId, event.name, event.id);
    this.#counted.set(key, [...(this.#counted.get(key) ?? []), event]);
  }

  #read(file: string): void {
    let text = '';
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      // No event was received yet.
    }
    for (const line of text.split('\n').filter((line) => line.endsWith('}')))
      this.#events.push(JSON.parse(line) as ReceivedEvent);
  }
}

/** Properties that all events of a request share. */
export type Batch = Pick<ReceivedEvent, 'datasetId' | 'channel' | 'receivedAt' | 'testEventCode'>;

function keyOf(datasetId: string, name: string, id: string): string {
  return JSON.stringify([datasetId, name, id]);
}
