import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { SettingsError } from '../config/env.js';

// SQL: Prisma's table of migrations, which is not in its schema.

/** Between two attempts, the requests that wait behind the migration get their locks. */
const ATTEMPTS = 5;

/** Prisma holds this advisory lock while it migrates. */
const PRISMA_LOCK = 72_707_369;

/** Errors after which a repetition may succeed. The last one is Prisma's word for a deadlock. */
const REPEATABLE = [
  '%canceling statement due to lock timeout%',
  '%canceling statement due to statement timeout%',
  '%deadlock detected%',
  '%Transaction write conflict%',
];

/**
 * Applies new migrations. One that was cancelled (a lock or a time limit) or interrupted (its process was killed) changed nothing if it is
 * one transaction, so it is repeated; Prisma alone would reject it until it is resolved by hand.
 * @param root folder of prisma.config.ts
 */
export async function applyMigrations(root: string, ownerUrl: string): Promise<void> {
  await release(ownerUrl);
  // Prisma takes seconds to find that there is nothing to apply.
  if (await isUpToDate(root, ownerUrl)) return;
  await checkOwner(ownerUrl);
  for (let attempt = 1; !(await deploy(root, ownerUrl)); attempt++) {
    const isReleased = await release(ownerUrl);
    if (!isReleased || attempt === ATTEMPTS) throw new Error('The database migration failed. Check the output above.');
  }
}

async function isUpToDate(root: string, ownerUrl: string): Promise<boolean> {
  const folder = join(root, 'prisma', 'migrations');
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'migration.sql')));
  return withClient(ownerUrl, async (client) => {
    if (!(await hasTable(client))) return false;
    const { rows } = await client.query<{ name: string; isApplied: boolean }>(
      `select migration_name as name, finished_at is not null as "isApplied" from _prisma_migrations where rolled_back_at is null`,
    );
    const applied = new Set(rows.map(({ name }) => name));
    return rows.every(({ isApplied }) => isApplied) && names.every((name) => applied.has(name));
  });
}

async function checkOwner(ownerUrl: string): Promise<void> {
  const { rows } = await withClient(ownerUrl, (client) =>
    client.query<{ role: string; mayCreate: boolean | null }>(
      `select current_user as role, has_schema_privilege(current_schema(), 'CREATE') as "mayCreate"`,
    ),
  );
  const [row] = rows;
  if (row?.mayCreate !== false) return;
  throw new SettingsError(
    `MIGRATION_DATABASE_URL: is missing or wrong. The role "${row.role}" may not create tables. Set the URL of the database with its owner`,
  );
}

async function deploy(root: string, ownerUrl: string): Promise<boolean> {
  const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build', 'index.js');
  // Prisma would start another process that reports its version and looks for a newer one.
  const env = { ...process.env, DATABASE_URL: ownerUrl, CHECKPOINT_DISABLE: '1' };
  const child = spawn(process.execPath, [prisma, 'migrate', 'deploy'], { cwd: root, stdio: 'inherit', env });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/**
 * As `prisma migrate resolve --rolled-back`. Returns whether there was such a migration. -1 is the mark of a script that is one transaction
 * and also records its own end (tools/schema-engine/driver.mjs).
 */
async function release(ownerUrl: string): Promise<boolean> {
  return withClient(ownerUrl, async (client) => {
    if (!(await hasTable(client))) return false;
    const released = `finished_at is null and rolled_back_at is null and applied_steps_count = -1
                      and (logs is null or logs like any($1))`;
    const { rowCount } = await client.query(`select 1 from _prisma_migrations where ${released}`, [REPEATABLE]);
    if (rowCount === 0) return false;
    // The server may still execute it, for another process or for one that was killed.
    await client.query('select pg_advisory_lock($1)', [PRISMA_LOCK]);
    await client.query(`update _prisma_migrations set rolled_back_at = now() where ${released}`, [REPEATABLE]);
    return true;
  });
}

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isThere: boolean }>(`select to_regclass('_prisma_migrations') is not null as "isThere"`);
  return rows[0]?.isThere === true;
}

async function withClient<T>(ownerUrl: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
