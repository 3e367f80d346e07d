import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from '../factories.js';
import { freePort } from '../mail-catcher.js';

/** The built product as an API process. Needs `npm run build -w backend`. */
export class ApiProcess {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly settings: Record<string, string>,
    readonly port: number,
  ) {}

  static async create(settings: Record<string, string>): Promise<ApiProcess> {
    return new ApiProcess(settings, await freePort());
  }

  async start(): Promise<void> {
    const main = path.resolve(import.meta.dirname, '..', '..', 'dist', 'src', 'main.js');
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const settings = { ...this.settings, ROLE: 'api', PORT: String(this.port), HOST: '127.0.0.1', LOG_LEVEL: 'fatal' };
    this.process = spawn(process.execPath, [main], { stdio: 'inherit', env: { PATH, NODE_COMPILE_CACHE, ...settings } });
    await eventually(
      () => this.isReady(),
      (isReady) => isReady,
    );
  }

  isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}/readyz`, { signal: AbortSignal.timeout(10_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Stops it as an orchestrator does. */
  async stop(): Promise<void> {
    if (!this.process || this.process.exitCode !== null) return;
    this.process.kill('SIGTERM');
    await once(this.process, 'exit');
  }
}
