import { join } from 'node:path';
import type { Env } from './core/config/env.js';
import { applyMigrations } from './core/database/apply-migrations.js';
import { grantApplicationRole } from './core/database/grant-application-role.js';
import { grantReportRole } from './core/database/grant-report-role.js';
import { migrateQueue } from './core/jobs/migrate-queue.js';

/**
 * Migrates the product's and the job queue's tables as their owner, then grants the roles of the
 * application and of reports their privileges. Safe to run
 * repeatedly and concurrently.
 */
export async function migrateDatabase(env: Env): Promise<void> {
  const ownerUrl = env.MIGRATION_DATABASE_URL ?? env.DIRECT_DATABASE_URL ?? env.DATABASE_URL;
  await applyMigrations(join(import.meta.dirname, '..', '..', '..'), ownerUrl);
  await migrateQueue(ownerUrl);
  await grantApplicationRole(ownerUrl, env.DATABASE_URL);
  await grantReportRole(ownerUrl);
}
