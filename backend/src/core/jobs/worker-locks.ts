import type pg from 'pg';
import type { Database, SqlQuery } from '../database/database.js';

// SQL: unlocks jobs of the queue, whose tables Prisma does not know, by the clock of the database.

/** A worker without a heartbeat for this long counts as crashed: it has missed four (`HEARTBEAT_MS` in jobs.ts). */
export const DEAD_AFTER_SECONDS = 15;

/** Another worker has resumed the job, so this worker neither completes nor fails it. */
export class JobLost extends Error {
  override name = 'JobLost';
}

/** Called for each crashed worker with the keys of its jobs, in the transaction that unlocks them. */
export type DeathListener = (query: SqlQuery, jobKeys: string[]) => Promise<void>;

/**
 * Unlocks the jobs of workers without a heartbeat; returns their processes, each of which has several ids in the queue. A worker that
 * crashed before its first heartbeat has only locked jobs.
 */
export async function unlockDeadWorkers(database: Database, listeners: DeathListener[]): Promise<string[]> {
  return database.transaction(async (query) => {
    const dead = await query<{ id: string; process: string }>(
      `with silent as (delete from workers where heartbeat_at < now() - make_interval(secs => $1) returning id, description)
       select id, description as process from silent
       union
       select locked_by, locked_by from graphile_worker._private_jobs
        where locked_at < now() - make_interval(secs => $1) and locked_by not in (select id from workers)`,
      [DEAD_AFTER_SECONDS],
    );
    for (const { id } of dead) {
      const jobs = await query<{ key: string }>(
        'select key from graphile_worker.jobs where locked_by = $1 and key is not null order by key',
        [id],
      );
      await query('select graphile_worker.force_unlock_workers($1)', [[id]]);
      for (const listener of listeners) await listener(query, jobs.map(({ key }) => key)); // prettier-ignore
    }
    return [...new Set(dead.map(({ process }) => process))];
  });
}

/** One execution of a job. */
export interface JobLock {
  id: string;
  /** In milliseconds; the database stores microseconds. */
  lockedAt: Date | null;
}

/** Deletes a job, unless it was unlocked since this execution began. Returns whether it was deleted. */
export async function completeIfLocked(pool: pg.Pool, { id, lockedAt }: JobLock, workerIds: string[]): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with completed as (
       delete from graphile_worker._private_jobs
        where id = $1::bigint and locked_by = any($2::text[]) and date_trunc('milliseconds', locked_at) = $3::timestamptz
        returning job_queue_id),
     unlocked as (
       update graphile_worker._private_job_queues queues set locked_by = null, locked_at = null
         from completed where queues.id = completed.job_queue_id and queues.locked_by = any($2::text[]))
     select 1 from completed`,
    [id, workerIds, lockedAt],
  );
  return rowCount === 1;
}

/**
 * Unlocks jobs that this worker has locked but does not execute. This happens when a connection is lost after the database has
 * locked the job and before the worker receives it.
 */
export async function unlockUnheld(pool: pg.Pool, workerIds: string[], heldJobIds: string[]): Promise<number> {
  const { rowCount } = await pool.query(
    `with unheld as (
       update graphile_worker._private_jobs set locked_by = null, locked_at = null, attempts = greatest(attempts - 1, 0)
        where locked_by = any($1::text[]) and locked_at < now() - make_interval(secs => $3) and id <> all($2::bigint[])
        returning job_queue_id),
     unlocked as (
       update graphile_worker._private_job_queues queues set locked_by = null, locked_at = null
         from unheld where queues.id = unheld.job_queue_id and queues.locked_by = any($1::text[]))
     select 1 from unheld`,
    [workerIds, heldJobIds, DEAD_AFTER_SECONDS],
  );
  return rowCount ?? 0;
}
