import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const repository = path.resolve(import.meta.dirname, '..', '..');

export interface SupervisedServer {
  url: string;
  /** Ends every session and stops the server, as an operator or a system update does. It is started again immediately. */
  restart(): void;
  stop(): Promise<void>;
}

/** A PostgreSQL of its own, for tests that restart it. */
export async function startSupervisedServer(): Promise<SupervisedServer> {
  const child = spawn(process.execPath, ['tools/postgres/run-supervised.ts'], {
    cwd: repository,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const lines = createInterface(child.stdout);
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
  if (line === undefined) throw new Error('PostgreSQL did not start');
  const { url, dataDir } = JSON.parse(line) as { url: string; dataDir: string };
  const stop = async () => {
    const hasEnded = once(child, 'exit');
    child.stdin.end();
    await hasEnded;
  };
  // SIGINT is PostgreSQL's fast shutdown.
  const restart = () => process.kill(Number(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGINT');
  return { url, restart, stop };
}
