import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const BACKEND = path.resolve(import.meta.dirname, '..');

/** `make drill` as a process, with its own servers. Needs the built backend. */
export class DrillProcess {
  private readonly started: ChildProcess[] = [];

  async run(settings: Record<string, string>): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, ['--import', './bench/resolve-source.mjs', 'drill/main.ts'], {
      cwd: BACKEND,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '', SEED: '1', MINUTES: '4', ...settings },
    });
    this.started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }

  /** Ends drills that still run, with their servers. */
  async stop(): Promise<void> {
    for (const child of this.started) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}
