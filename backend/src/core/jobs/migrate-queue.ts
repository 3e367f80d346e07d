import { runMigrations } from 'graphile-worker';
import pg from 'pg';

// SQL: an index on a table of the queue, which Prisma does not know.

/** Any number, equal in every process that migrates. Without it, two processes that create the index could fail. */
const LOCK = 7_140_926;
/** A release of the queue that replaces the table also drops the index, so each migration checks for it. */
export const JOBS_BY_TASK = 'tributary_jobs_by_task';
/**
 * The queue's own indexes begin with the priority: a slot that finds no job of its tasks reads all waiting jobs of the others. Not
 * built concurrently, because a transaction leaves no invalid index, and 100,000 jobs take less than a second.
 */
const CREATE_INDEX = `
  create index ${JOBS_BY_TASK} on graphile_worker._private_jobs (task_id, priority, run_at) where is_available`;

/** Between two attempts, the requests that wait behind the index get their locks. */
const ATTEMPTS = 5;
/** SQLSTATE of "canceling statement due to lock timeout". */
const LOCK_NOT_AVAILABLE = '55P03';

/** Migrates the queue's tables as their owner. Safe to run repeatedly and concurrently. */
export async function migrateQueue(ownerUrl: string): Promise<void> {
  await runMigrations({ connectionString: ownerUrl });
  const owner = new pg.Client({ connectionString: ownerUrl, application_name: 'tributary-migrate' });
  await owner.connect();
  try {
    for (let attempt = 1; !(await ensureIndex(owner, attempt < ATTEMPTS)); attempt++);
  } finally {
    await owner.end();
  }
}

/** Returns whether the index exists. An existing one is not locked. */
async function ensureIndex(owner: pg.Client, mayFail: boolean): Promise<boolean> {
  await owner.query(`begin; set local lock_timeout = '5s'; set local statement_timeout = '60s'`);
  try {
    await owner.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const { rows } = await owner.query<{ isThere: boolean }>(`select to_regclass($1) is not null as "isThere"`, [
      `graphile_worker.${JOBS_BY_TASK}`,
    ]);
    if (!rows[0]?.isThere) await owner.query(CREATE_INDEX);
    await owner.query('commit');
    return true;
  } catch (error) {
    await owner.query('rollback');
    if (mayFail && (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}
