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
  /** Time to end before it is killed, in milliseconds. Default: 10 s. */
  stopGraceMs?: number;
  /** Called at every start, also after a restart. */
  onStart?: (pid: number) => void;
  onRestart?: (message: string) => void;
}

const STOP_GRACE_MS = 10_000;
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 10_000;
/** After this run time, the back-off starts from its first value again. */
const RESET_BACK_OFF_AFTER_MS = 30_000;
const LAST_LOG_CHARACTERS = 1500;

/** A child process that writes to a log file. It is restarted when it exits, until it is stopped. */
export class SupervisedProcess {
  readonly #plan: ProcessPlan;
  readonly #record: ProcessRecord;
  #child: ChildProcess | null = null;
  #identity: ProcessIdentity | null = null;
  #backOffMs = FIRST_BACK_OFF_MS;
  #restartTimer: NodeJS.Timeout | null = null;
  #isStopping = false;
  #exits = 0;

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

  get hasExited(): boolean {
    return this.#exits > 0;
  }

  start(): void {
    const { name, command, parameters, workingFolder, environment, logFile, onStart } = this.#plan;
    const startedAt = Date.now();
    const log = openSync(logFile, 'a');
    // In its own process group, so that Ctrl-C only reaches the launcher, which stops its processes in order.
    const child = spawn(command, parameters, {
      cwd: workingFolder,
      env: childEnvironment(environment),
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    this.#child = child;
    child.once('error', (error) => this.#onExit(error.message, startedAt));
    child.once('exit', (code, signal) => this.#onExit(signal ?? `code ${code}`, startedAt));
    if (child.pid === undefined) return;
    this.#identity = identify(child.pid);
    this.#record.add(name, child.pid);
    onStart?.(child.pid);
  }

  /** Returns the end of the log, for the error message of a failed start. */
  readLogEnd(): string {
    return readFileSync(this.#plan.logFile, 'utf8').slice(-LAST_LOG_CHARACTERS).trim();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#restartTimer) clearTimeout(this.#restartTimer);
    if (this.#identity) await endProcess(this.#identity, this.#plan.stopGraceMs ?? STOP_GRACE_MS);
    this.#record.remove(this.name);
  }

  /** Sends SIGKILL: the second Ctrl-C. */
  kill(): void {
    this.#isStopping = true;
    if (this.#identity && this.#child?.exitCode === null) signalGroup(this.#identity.pid, 'SIGKILL');
  }

  #onExit(reason: string, startedAt: number): void {
    this.#identity = null;
    this.#exits += 1;
    if (this.#isStopping) return;
    if (Date.now() - startedAt > RESET_BACK_OFF_AFTER_MS) this.#backOffMs = FIRST_BACK_OFF_MS;
    this.#plan.onRestart?.(`${this.name} exited (${reason}). Restarting it; see ${this.#plan.logFile}`);
    this.#restartTimer = setTimeout(() => this.start(), this.#backOffMs);
    this.#backOffMs = Math.min(this.#backOffMs * 2, LONGEST_BACK_OFF_MS);
  }
}
