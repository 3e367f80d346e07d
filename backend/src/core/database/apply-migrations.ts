import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import pg from 'pg';

// SQL: Prisma's table of migrations, which is not in its schema.

/** Between two attempts, the requests that wait behind the migration get their locks. */
const ATTEMPTS = 5;

/**
 * Applies new migrations. One that could not get a lock in time (`lock_timeout`) changed nothing, because it is one transaction, so it
 * is repeated; Prisma alone would reject it until it is resolved by hand.
 * @param root folder of prisma.config.ts
 */
export async function applyMigrations(root: string, ownerUrl: string): Promise<void> {
  await releaseTimedOut(ownerUrl);
  for (let attempt = 1; !(await deploy(root, ownerUrl)); attempt++) {
    const hasTimedOut = await releaseTimedOut(ownerUrl);
    if (!hasTimedOut || attempt === ATTEMPTS) throw new Error('The database migration failed. Check the output above.');
  }
}

async function deploy(root: string, ownerUrl: string): Promise<boolean> {
  const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build', 'index.js');
  const env = { ...process.env, DATABASE_URL: ownerUrl };
  const child = spawn(process.execPath, [prisma, 'migrate', 'deploy'], { cwd: root, stdio: 'inherit', env });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** As `prisma migrate resolve --rolled-back`. Returns whether there was such a migration. */
async function releaseTimedOut(ownerUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ isThere: boolean }>(
      `select to_regclass('_prisma_migrations') is not null as "isThere"`,
    );
    if (!rows[0]?.isThere) return false;
    const { rowCount } = await client.query(
      `update _prisma_migrations set rolled_back_at = now()
        where finished_at is null and rolled_back_at is null and logs like '%canceling statement due to lock timeout%'`,
    );
    return rowCount !== 0;
  } finally {
    await client.end();
  }
}
