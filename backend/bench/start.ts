/**
 * node --import ./bench/resolve-source.mjs bench/start.ts: `make start` in a clean clone of the committed state, and again with its data.
 * Packages come from npm's cache where it has them: run it twice for the time with a warm cache. A smoke run does not clone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { printFigures } from './figures.ts';
import { isSmoke } from './smoke.ts';

const repository = path.resolve(import.meta.dirname, '..', '..');
const READY = 'Tributary is ready.';
const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-clone-'));

// As root, PostgreSQL runs as another user.
chmodSync(folder, 0o755);
try {
  if (!isSmoke) {
    await run('git', ['clone', '--quiet', '--no-local', repository, folder]);
    const clean = await secondsUntilReady();
    const again = await secondsUntilReady();
    printFigures([
      { what: 'make start, clean clone', measured: clean, wanted: { atMost: 120 }, unit: 's' },
      { what: 'make start, again', measured: again, wanted: { atMost: 15 }, unit: 's' },
    ]);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(command: string, parameters: string[]): Promise<void> {
  const [code] = (await once(spawn(command, parameters, { stdio: 'inherit' }), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${parameters[0]} ended with ${code}`);
}

/** Free ports, so that another instance may run. Stops the instance afterwards. */
async function secondsUntilReady(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('make', ['start'], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let seconds = 0;
  for await (const line of createInterface(child.stdout)) {
    console.log(line);
    if (!line.includes(READY)) continue;
    seconds = (performance.now() - startedAt) / 1_000;
    // Not SIGINT: make only waits for its command then, which a terminal would have interrupted too.
    child.kill('SIGTERM');
  }
  await ended;
  if (seconds === 0) throw new Error('make start ended before the product was ready');
  return seconds;
}
