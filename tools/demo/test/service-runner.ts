import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Postgres, startPostgres } from '../../postgres/start-postgres.ts';
import { childEnvironment, nodeProgram, repositoryFolder } from '../../repository.ts';
import type { ComposeService } from './compose-services.ts';
import type { DemoFolder } from './demo-folder.ts';

const POLL_MS = 200;
/** Only ends what hangs: a busy machine may be slow. */
const READY_TIMEOUT_MS = 580_000;
const STOP_GRACE_MS = 15_000;

/** Starts services after those that they depend on, as Compose does. */
export class ServiceRunner {
  readonly #folder: DemoFolder;
  readonly #children = new Map<string, ChildProcess>();
  readonly #starts = new Map<string, Promise<void>>();
  #postgres: Postgres | undefined;

  constructor(folder: DemoFolder) {
    this.#folder = folder;
  }

  async start(): Promise<void> {
    await Promise.all(Object.keys(this.#folder.services).map((name) => this.#ensure(name)));
  }

  async untilOutput(name: string, text: string): Promise<void> {
    await this.#until(name, async () => Promise.resolve(readFileSync(this.#log(name), 'utf8').includes(text)));
  }

  async end(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (child) await end(child);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#children.values()].map(end));
    await this.#postgres?.stop();
  }

  /** The last lines of every service. */
  readOutput(): string {
    return this.#folder
      .logs()
      .map((file) => `${file}:\n${readFileSync(path.join(this.#folder.root, file), 'utf8').slice(-1500)}`)
      .join('\n');
  }

  #ensure(name: string): Promise<void> {
    const starting = this.#starts.get(name) ?? this.#startService(name);
    this.#starts.set(name, starting);
    return starting;
  }

  async #startService(name: string): Promise<void> {
    const service = this.#folder.services[name]!;
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      await this.#ensure(other);
      if (condition === 'service_healthy') await this.#untilHealthy(other);
      if (condition === 'service_completed_successfully') await this.#untilCompleted(other);
    }
    if (name === 'demo-postgres') return this.#startPostgres();
    const [command = '', ...parameters] = service.command ?? [];
    const log = openSync(this.#log(name), 'a');
    // Its own process group: the emulator starts other processes.
    const options = { cwd: service.working_dir ?? repositoryFolder, env: this.#environment(service), detached: true };
    const child = spawn(command === 'node' ? nodeProgram() : command, parameters, { ...options, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#children.set(name, child);
    await once(child, 'spawn');
  }

  async #startPostgres(): Promise<void> {
    const dataDir = path.join(this.#folder.root, 'postgres');
    const password = this.#folder.secret('demo_postgres_password');
    this.#postgres = await startPostgres({ dataDir, port: this.#folder.port(5432), password, settings: { fsync: 'off' } });
  }

  /** The settings of the shell must not reach the product. */
  #environment({ environment }: ComposeService): NodeJS.ProcessEnv {
    const { PATH } = childEnvironment();
    const { NODE_COMPILE_CACHE } = process.env;
    const own = Object.entries(environment ?? {}).map(([name, value]) => [name, String(value)]);
    return { PATH, NODE_COMPILE_CACHE, ...(Object.fromEntries(own) as Record<string, string>) };
  }

  #log(name: string): string {
    return path.join(this.#folder.root, `${name}.log`);
  }

  /** With the health check of the service. PostgreSQL has started when its start has ended. */
  async #untilHealthy(name: string): Promise<void> {
    if (name === 'demo-postgres') return;
    const [kind, , ...parameters] = this.#folder.services[name]!.healthcheck!.test;
    if (kind !== 'CMD') throw new Error(`${name} has no health check`);
    await this.#until(name, async () => {
      const [code] = (await once(spawn(nodeProgram(), parameters, { cwd: repositoryFolder }), 'exit')) as [number | null];
      return code === 0;
    });
  }

  async #untilCompleted(name: string): Promise<void> {
    const child = this.#children.get(name)!;
    if (child.exitCode === null) await once(child, 'exit');
    if (child.exitCode !== 0) throw new Error(`${name} has failed`);
  }

  async #until(name: string, holds: () => Promise<boolean>): Promise<void> {
    const giveUpAt = Date.now() + READY_TIMEOUT_MS;
    while (!(await holds())) {
      const { exitCode } = this.#children.get(name)!;
      if (exitCode !== null) throw new Error(`${name} has ended with ${exitCode}`);
      if (Date.now() > giveUpAt) throw new Error(`${name} is not ready after ${READY_TIMEOUT_MS / 1000} s`);
      await sleep(POLL_MS);
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return;
  const group = -child.pid;
  const hasEnded = once(child, 'exit');
  process.kill(group, 'SIGTERM');
  const timer = setTimeout(() => process.kill(group, 'SIGKILL'), STOP_GRACE_MS);
  await hasEnded;
  clearTimeout(timer);
}
