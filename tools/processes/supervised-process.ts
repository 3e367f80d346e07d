import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { childEnvironment } from '../repository.ts';
import { endProcess, signalGroup } from './end-process.ts';
import { identify, type ProcessIdentity } from './identity.ts';
import type { ProcessRecord } from './process-record.ts';

export interface ProcessPlan {
  name: string;
  command: string;
  parameters: string[];
  workingFolder: string;
  environment: Record<string, string | undefined>;
  logFile: string;
  /** How long it may take to end before it is killed; 10 s unless said. */
  stopGraceMs?: number;
  /** Told at every start, also after a restart. */
  onStart?: (pid: number) => void;
  onRestart?: (message: string) => void;
}

const STOP_GRACE_MS = 10_000;
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 10_000;
/** A process that lived this long was well: the next restart is quick again. */
const WELL_AFTER_MS = 30_000;
const LAST_LOG_CHARACTERS = 1500;

/** A child that writes to a log file and is started again when it dies, until it is stopped. */
export class SupervisedProcess {
  readonly #plan: ProcessPlan;
  readonly #record: ProcessRecord;
  #child: ChildProcess | null = null;
  #identity: ProcessIdentity | null = null;
  #backOffMs = FIRST_BACK_OFF_MS;
  #restartTimer: NodeJS.Timeout | null = null;
  #isStopping = false;
  #deaths = 0;

  constructor(plan: ProcessPlan, record: ProcessRecord) {
    this.#plan = plan;
    this.#record = record;
  }

  get name(): string {
    return this.#plan.name;
  }

  get pid(): number | null {
    return this.#identity?.pid ?? null;
  }

  get hasDied(): boolean {
    return this.#deaths > 0;
  }

  start(): void {
    const { name, command, parameters, workingFolder, environment, logFile, onStart } = this.#plan;
    const startedAt = Date.now();
    const log = openSync(logFile, 'a');
    // A group of its own: Ctrl-C reaches the launcher alone, which stops its children in order.
    const child = spawn(command, parameters, {
      cwd: workingFolder,
      env: childEnvironment(environment),
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    this.#child = child;
    child.once('error', (error) => this.#onDeath(error.message, startedAt));
    child.once('exit', (code, signal) => this.#onDeath(signal ?? `code ${code}`, startedAt));
    if (child.pid === undefined) return;
    this.#identity = identify(child.pid);
    this.#record.add(name, child.pid);
    onStart?.(child.pid);
  }

  /** The end of its log, for the message that says why it does not start. */
  lastWords(): string {
    return readFileSync(this.#plan.logFile, 'utf8').slice(-LAST_LOG_CHARACTERS).trim();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#restartTimer) clearTimeout(this.#restartTimer);
    if (this.#identity) await endProcess(this.#identity, this.#plan.stopGraceMs ?? STOP_GRACE_MS);
    this.#record.remove(this.name);
  }

  /** At once, without asking: the second Ctrl-C. */
  kill(): void {
    this.#isStopping = true;
    if (this.#identity && this.#child?.exitCode === null) signalGroup(this.#identity.pid, 'SIGKILL');
  }

  #onDeath(reason: string, startedAt: number): void {
    this.#identity = null;
    this.#deaths += 1;
    if (this.#isStopping) return;
    if (Date.now() - startedAt > WELL_AFTER_MS) this.#backOffMs = FIRST_BACK_OFF_MS;
    this.#plan.onRestart?.(`${this.name} ended (${reason}): starting it again, see ${this.#plan.logFile}`);
    this.#restartTimer = setTimeout(() => this.start(), this.#backOffMs);
    this.#backOffMs = Math.min(this.#backOffMs * 2, LONGEST_BACK_OFF_MS);
  }
}
