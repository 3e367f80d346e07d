import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Changes within this time are written together. */
const saveDelayMs = 100;

/** One JSON file in the provider's data folder, or nothing without a folder. */
export class Storage {
  readonly #file: string | null;
  readonly #toSaved: () => Record<string, unknown>;
  #timer: NodeJS.Timeout | null = null;

  constructor(dataDir: string | undefined, toSaved: () => Record<string, unknown>) {
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    this.#file = dataDir ? join(dataDir, 'stripe.json') : null;
    this.#toSaved = toSaved;
  }

  read(): Record<string, unknown> | null {
    try {
      return this.#file ? (JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, unknown>) : null;
    } catch {
      return null;
    }
  }

  saveSoon(): void {
    if (this.#file) this.#timer ??= setTimeout(() => this.saveNow(), saveDelayMs);
  }

  saveNow(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#file) return;
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#toSaved()));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
