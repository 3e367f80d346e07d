import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type MessageKind = 'identify' | 'event' | 'anonymous_event' | 'delete' | 'suppress';

export interface Message {
  kind: MessageKind;
  /** Time of arrival. */
  at: string;
  /** The person; null for anonymous events. */
  customerId: string | null;
  anonymousId?: string;
  name?: string;
  /** The ULID that identifies duplicates. */
  id?: string;
  /** Unix seconds, as sent. */
  timestamp?: number;
  /** Attributes of a person, or the data of an event. */
  data: Record<string, unknown>;
  /** An event whose id had already arrived: acknowledged but not counted again. */
  isDuplicate: boolean;
}

/** Received messages, oldest first, and the resulting people; stored in a file if there is a data folder. */
export class Messages {
  readonly messages: Message[] = [];
  readonly #eventIds = new Set<string>();
  readonly #file: string | null;

  constructor(dataDir: string | undefined) {
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    this.#file = dataDir ? join(dataDir, 'customer-io.json') : null;
    for (const message of readSaved(this.#file)) this.#remember(message);
  }

  add(message: Omit<Message, 'at' | 'isDuplicate'>): void {
    const isDuplicate = message.id !== undefined && this.#eventIds.has(message.id);
    this.#remember({ ...message, at: new Date().toISOString(), isDuplicate });
    this.#save();
  }

  clear(): void {
    this.messages.length = 0;
    this.#eventIds.clear();
    this.#save();
  }

  /** The current attributes of every person. Each call adds to them, and a deletion removes them. */
  people(): Record<string, Record<string, unknown>> {
    const people = new Map<string, Record<string, unknown>>();
    for (const { kind, customerId, data } of this.messages) {
      if (customerId === null) continue;
      if (kind === 'delete' || kind === 'suppress') people.delete(customerId);
      // An event for an unknown id creates a person.
      else people.set(customerId, { ...people.get(customerId), ...(kind === 'identify' && data) });
    }
    return Object.fromEntries(people);
  }

  #remember(message: Message): void {
    this.messages.push(message);
    if (message.id !== undefined) this.#eventIds.add(message.id);
  }

  #save(): void {
    if (!this.#file) return;
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.messages));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

function readSaved(file: string | null): Message[] {
  try {
    return file ? (JSON.parse(readFileSync(file, 'utf8')) as Message[]) : [];
  } catch {
    return [];
  }
}
