import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const backend = path.resolve(import.meta.dirname, '..');
const GENERATED = ['src/generated/prisma/client.ts', 'src/metadata.ts', 'dist/src/main.js'];

/**
 * Ends with one line when the backend is not built. Without TEST_DATABASE_URL it starts a server for this run, and returns the
 * function that stops it.
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (!GENERATED.every((file) => existsSync(path.join(backend, file)))) {
    process.stderr.write('The backend is not built. Run this first: npm run build -w backend\n');
    process.exit(1);
  }
  if (process.env['TEST_DATABASE_URL']) return undefined;
  // It stops the server when this process ends, for whatever reason: then its input ends.
  const report = 'console.log(process.env.TEST_DATABASE_URL); process.stdin.resume().on("end", () => process.exit(0))';
  const child = spawn(process.execPath, ['tools/test-with-database.ts', '--', process.execPath, '-e', report], {
    cwd: path.dirname(backend),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  process.env['TEST_DATABASE_URL'] = url;
  return async () => {
    const hasEnded = once(child, 'exit');
    child.stdin.end();
    await hasEnded;
  };
}
