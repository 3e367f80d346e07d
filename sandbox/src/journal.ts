import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Records of one provider, one JSON line each, in its data folder. Without a folder nothing is stored. */
export class Journal<Entry> {
  #file: string | null = null;

  /** Returns the records of earlier runs. The last line may be incomplete if the sandbox was killed; it is skipped. */
  open(dataDir: string | undefined, name: string): Entry[] {
    if (!dataDir) return [];
    mkdirSync(dataDir, { recursive: true });
    this.#file = join(dataDir, name);
    return readLines(this.#file).map((line) => JSON.parse(line) as Entry);
  }

  append(entries: Entry[]): void {
    if (!this.#file || entries.length === 0) return;
    appendFileSync(this.#file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'));
  } catch {
    return [];
  }
}
