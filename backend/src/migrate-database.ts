import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createApp } from './create-app.js';
import type { Env } from './platform/env.js';
import { Jobs } from './platform/jobs.js';

/** Brings the product's tables and the job queue's up to date. Safe to run twice, and by two at once. */
export async function migrateDatabase(env: Env): Promise<void> {
  const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build', 'index.js');
  const root = join(import.meta.dirname, '..', '..', '..');
  const child = spawn(process.execPath, [prisma, 'migrate', 'deploy'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: env.DATABASE_URL },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The database could not be brought up to date.');
  const app = await createApp({ ...env, METRICS_PORT: undefined });
  await app.get(Jobs).migrate();
  await app.close();
}
