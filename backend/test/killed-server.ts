import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from './factories.js';
import { freePort } from './mail-catcher.js';

/** The built product, API and worker in one process that is killed again and again. Needs `npm run build -w backend`. */
export class KilledServer {
  private process: ChildProcess | undefined;
  private url = '';

  constructor(private readonly settings: Record<string, string>) {}

  async start(): Promise<void> {
    const port = await freePort();
    const main = path.resolve(import.meta.dirname, '..', 'dist', 'src', 'main.js');
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const settings = { ...this.settings, ROLE: 'all', PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'fatal' };
    this.process = spawn(process.execPath, [main], { stdio: 'inherit', env: { PATH, NODE_COMPILE_CACHE, ...settings } });
    this.url = `http://127.0.0.1:${port}`;
    const isReady = () => fetch(`${this.url}/readyz`).then(({ ok }) => ok, () => false); // prettier-ignore
    await eventually(isReady, (ready) => ready);
  }

  /** Sends a request and kills the server some time after the request or after its response. Returns the status of a response. */
  async killDuring(
    send: (url: string) => Promise<Response>,
    { since, afterMs }: { since: 'request' | 'response'; afterMs: number },
  ): Promise<number | null> {
    const status = send(this.url).then(
      ({ status }) => status,
      () => null,
    );
    if (since === 'response') await status;
    await delay(afterMs);
    await this.kill();
    return status;
  }

  /** The first request of a process takes much longer than the following ones. */
  async warmUp(send: (url: string) => Promise<Response>): Promise<void> {
    await (await send(this.url)).text();
  }

  async kill(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    process.kill('SIGKILL');
    await once(process, 'exit');
  }
}
