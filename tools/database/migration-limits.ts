/**
 * Writes limits into new migrations: node tools/database/migration-limits.ts (`make migrate` runs it). A migration that waits for a
 * lock also holds up every later query of the table.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { inRepository } from '../repository.ts';

/** Valid until the end of the migration: Prisma sends it as one query, which is one transaction. */
export const LIMITS = `SET LOCAL lock_timeout = '5s';\nSET LOCAL statement_timeout = '60s';\n\n`;

/** The migrations that .squawk.toml lists have been applied and are not changed. */
export function addLimits(): void {
  const rules = readFileSync(inRepository('.squawk.toml'), 'utf8');
  for (const file of globSync('prisma/migrations/*/migration.sql', { cwd: inRepository() })) {
    const sql = readFileSync(inRepository(file), 'utf8');
    const isListed = rules.includes(`"${file.replace('migration.sql', '*')}"`);
    if (!isListed && !/lock_timeout/i.test(sql)) writeFileSync(inRepository(file), LIMITS + sql);
  }
}

if (import.meta.main) addLimits();
