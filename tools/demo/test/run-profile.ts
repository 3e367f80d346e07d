/**
 * node tools/demo/test/run-profile.ts: executes the services of the profile demo of docker-compose.yml without Docker, with the commands and
 * the environment of that file, on free ports of 127.0.0.1. PostgreSQL is the one from npm. Prints its addresses as one line of JSON when
 * the demo can be used, and stops when its input ends. Needs `npm run build -w backend`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DemoFolder } from './demo-folder.ts';
import { ServiceRunner } from './service-runner.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'tributary-demo-'));
let runner: ServiceRunner | undefined;

/** Only once: the input may end while the start fails. */
let stopping: Promise<void> | undefined;
const stop = (code: number): Promise<void> =>
  (stopping ??= (async () => {
    await runner?.stop();
    rmSync(root, { recursive: true, force: true });
    process.exit(code);
  })());

process.stdin.resume().on('end', () => void stop(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(1));
try {
  for (const name of ['data', 'home']) mkdirSync(path.join(root, name));
  const folder = await DemoFolder.create(root);
  runner = new ServiceRunner(folder);
  await runner.start();
  await runner.untilOutput('demo-setup', 'The demo can be used.');
  // The other connections take minutes of processor time. The browser tests check them.
  await runner.end('demo-setup');
  console.log(JSON.stringify(folder.addresses()));
} catch (error) {
  console.error(runner?.readOutput() ?? '', error);
  await stop(1);
}
