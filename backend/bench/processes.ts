import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export type Environment = Record<string, string>;

/** The options of make start and docker-compose.yml. */
const API_OPTIONS = ['--max-semi-space-size=16', '--max-old-space-size=512'];
const WORKER_OPTIONS = ['--max-semi-space-size=4', '--max-old-space-size=384'];

/** The product stops within this time; what does not is killed. */
const STOP_TIMEOUT_MS = 20_000;

/** The processes of a benchmark. They end with the benchmark. */
export class Processes {
  private readonly running: ChildProcess[] = [];

  /** A server that prints {"url"} when it is ready. */
  async startServer(file: string, environment: Environment): Promise<{ url: string; pid: number }> {
    const child = this.spawn([file], environment, 'pipe');
    return { url: (await firstLine<{ url: string }>(child)).url, pid: child.pid ?? 0 };
  }

  /** A program that prints its result as one line of JSON and exits. */
  async run<Result>(parameters: string[], environment: Environment): Promise<Result> {
    const child = this.spawn(parameters, environment, 'pipe');
    const [result] = await Promise.all([firstLine<Result>(child), once(child, 'exit')]);
    return result;
  }

  /** A server without output. */
  start(file: string, environment: Environment): number {
    return this.spawn([file], environment, 'ignore').pid ?? 0;
  }

  /** A program that must exit with 0. */
  async finish(file: string, environment: Environment): Promise<void> {
    const child = this.spawn([file], environment, 'ignore');
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${file} ended with ${code}`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map(stop));
  }

  private spawn([file = '', ...parameters]: string[], environment: Environment, output: 'pipe' | 'ignore'): ChildProcess {
    const isWorker = environment['ROLE'] === 'worker';
    const hook = file.endsWith('.ts')
      ? ['--import', path.join(import.meta.dirname, 'resolve-source.mjs')]
      : [...(isWorker ? WORKER_OPTIONS : API_OPTIONS), ...profiling()];
    const child = spawn(process.execPath, [...hook, path.resolve(import.meta.dirname, file), ...parameters], {
      stdio: ['ignore', output, 'inherit'],
      // A compile cache of the caller would take 13 MB of each process.
      env: { ...process.env, NODE_OPTIONS: '', NODE_DISABLE_COMPILE_CACHE: '1', ...environment },
    });
    this.running.push(child);
    return child;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

/** PROFILE=<folder> writes a CPU profile of each process of the product, to be opened in the developer tools of a browser. */
const profiling = (): string[] => {
  const folder = process.env['PROFILE'];
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
};

async function firstLine<Result>(child: ChildProcess): Promise<Result> {
  if (!child.stdout) throw new Error('the process prints nothing');
  const lines = createInterface(child.stdout);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${child.spawnargs.join(' ')} ended early`)));
  ended.catch(() => undefined);
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  return JSON.parse(line) as Result;
}

/** Resident memory of a process, in MB. */
export async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1_024;
}
