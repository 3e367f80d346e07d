import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const repository = path.resolve(import.meta.dirname, '..', '..');
/** The server stops when this process ends, for whatever reason: then the input of the command ends. */
const REPORT = 'console.log(process.env.TEST_DATABASE_URL); process.stdin.resume().on("end", () => process.exit(0))';

/** Starts PostgreSQL for tests that run without the server of a whole test run. */
export async function startOwnServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['tools/test-with-database.ts', '--', process.execPath, '-e', REPORT], {
    cwd: repository,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const lines = createInterface(child.stdout);
  const [url] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
  if (url === undefined) throw new Error('PostgreSQL for the tests did not start. The reason is above');
  const stop = async () => {
    const hasEnded = once(child, 'exit');
    child.stdin.end();
    await hasEnded;
  };
  return { url, stop };
}
