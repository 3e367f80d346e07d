import type pg from 'pg';
import type { Database, SqlQuery } from '../database/database.js';

/** A worker silent for this long is dead. */
const DEAD_AFTER_SECONDS = 20;

/** The job belongs to another worker by now: it is neither completed nor failed here. */
export class JobLost extends Error {
  override name = 'JobLost';
}

/** Called for each dead worker, in the transaction that unlocks its jobs, with the keys of those jobs. */
export type DeathListener = (query: SqlQuery, jobKeys: string[]) => Promise<void>;

/** Unlocks the jobs of workers without a heartbeat; returns the ids of these workers. */
export async function unlockDeadWorkers(database: Database, listeners: DeathListener[]): Promise<string[]> {
  return database.transaction(async (query) => {
    const dead = await query<{ id: string }>(
      `delete from workers where heartbeat_at < now() - make_interval(secs => $1) returning id`,
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
    return dead.map(({ id }) => id);
  });
}

/**
 * Completes a job that another worker may have taken over. The queue deletes completed jobs by their id alone, which would
 * delete the job of the new owner. False: the job is locked by another worker.
 */
export async function completeIfLocked(pool: pg.Pool, jobId: string, workerIds: string[]): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with completed as (
       delete from graphile_worker._private_jobs where id = $1::bigint and locked_by = any($2::text[]) returning job_queue_id),
     unlocked as (
       update graphile_worker._private_job_queues queues set locked_by = null, locked_at = null
         from completed where queues.id = completed.job_queue_id and queues.locked_by = any($2::text[]))
     select 1 from completed`,
    [jobId, workerIds],
  );
  return rowCount === 1;
}

/**
 * Unlocks what this worker has locked without working on it: a connection was lost after the database had handed out the job, and
 * the job is in none of this worker's hands.
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
