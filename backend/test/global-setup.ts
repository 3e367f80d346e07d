import { existsSync } from 'node:fs';
import path from 'node:path';
import { startOwnServer } from './own-server.js';

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
  const { url, stop } = await startOwnServer().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  process.env['TEST_DATABASE_URL'] = url;
  return stop;
}
