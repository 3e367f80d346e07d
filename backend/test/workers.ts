import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type TestApp, testSettings } from './app.js';

/** The built product, as workers in separate processes that can be stopped and killed. */
export class Workers {
  private readonly started: ChildProcess[] = [];

  /** On the database of `app`, with the operator's `settings`. Needs `npm run build -w backend`. */
  start(app: TestApp, settings: Record<string, string>): ChildProcess {
    const all = testSettings(app.database.url, { ROLE: 'worker', LOG_LEVEL: 'error', ...settings });
    const main = path.resolve(import.meta.dirname, '..', 'dist', 'src', 'main.js');
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const worker = spawn(process.execPath, [main], { stdio: 'inherit', env: { PATH, NODE_COMPILE_CACHE, ...all } });
    this.started.push(worker);
    return worker;
  }

  async kill(worker: ChildProcess): Promise<void> {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }

  async killAll(): Promise<void> {
    await Promise.all(this.started.map((worker) => this.kill(worker)));
  }
}
