import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import type { Env } from './core/config/env.js';
import { grantApplicationRole } from './core/database/grant-application-role.js';
import { grantReportRole } from './core/database/grant-report-role.js';

/**
 * Migrates the product's and the job queue's tables as their owner, then grants the roles of the
 * application and of reports their privileges. Safe to run
 * repeatedly and concurrently.
 */
export async function migrateDatabase(env: Env): Promise<void> {
  const ownerUrl = env.MIGRATION_DATABASE_URL ?? env.DATABASE_URL;
  const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build', 'index.js');
  const root = join(import.meta.dirname, '..', '..', '..');
  const child = spawn(process.execPath, [prisma, 'migrate', 'deploy'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: ownerUrl },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The database migration failed. Check the output above.');
  await runMigrations({ connectionString: ownerUrl });
  await grantApplicationRole(ownerUrl, env.DATABASE_URL);
  await grantReportRole(ownerUrl);
}
