import { existsSync, readFileSync, rmSync } from 'node:fs';
import { writeJsonFile } from '../json-file.ts';
import { endProcess } from './end-process.ts';
import { identify, isAlive, type ProcessIdentity } from './identity.ts';

interface Recorded {
  launcher: ProcessIdentity;
  children: Record<string, ProcessIdentity>;
}

const STALE_GRACE_MS = 10_000;

/** File with the processes that a launcher has started. The next launcher ends those of a killed one, and no others. */
export class ProcessRecord {
  readonly #file: string;
  #children: Record<string, ProcessIdentity> = {};

  constructor(file: string) {
    this.#file = file;
  }

  /** The process id of a running launcher with this data, or null. */
  findRunningLauncher(): number | null {
    const launcher = this.#read()?.launcher;
    return launcher && launcher.pid !== process.pid && isAlive(launcher) ? launcher.pid : null;
  }

  /** Ends processes of a killed launcher and returns their names. Does not end other processes that reuse the ids. */
  async endStale(): Promise<string[]> {
    const stale = Object.entries(this.#read()?.children ?? {}).filter(([, child]) => isAlive(child));
    await Promise.all(stale.map(([, child]) => endProcess(child, STALE_GRACE_MS)));
    return stale.map(([name]) => name);
  }

  claim(): void {
    this.#children = {};
    this.#write();
  }

  add(name: string, pid: number): void {
    this.#children[name] = identify(pid);
    this.#write();
  }

  remove(name: string): void {
    this.#children = Object.fromEntries(Object.entries(this.#children).filter(([other]) => other !== name));
    this.#write();
  }

  clear(): void {
    rmSync(this.#file, { force: true });
  }

  #write(): void {
    writeJsonFile(this.#file, { launcher: identify(process.pid), children: this.#children } satisfies Recorded);
  }

  #read(): Recorded | null {
    if (!existsSync(this.#file)) return null;
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Recorded;
    } catch {
      return null; // Truncated by a power failure, which has also ended the processes.
    }
  }
}
