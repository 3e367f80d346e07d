import type pg from 'pg';

// SQL: the tables of the queue are not in Prisma's schema.

/** About where reading the waiting jobs takes as long as planning the selection of a job, see docs/performance.md. */
const LONG_FROM = 500;

/**
 * Whether many jobs wait, by the last measurement. The selection of a job is then planned with the tasks of the slot, so that it
 * finds them by their index. The plan of a prepared statement is for any tasks, and reads all waiting jobs.
 */
export class QueueLength {
  isLong = false;

  async measure(pool: pg.Pool): Promise<void> {
    const { rows } = await pool.query<{ isLong: boolean }>(
      `select count(*) = $1 as "isLong"
         from (select from graphile_worker._private_jobs where is_available and run_at <= now() limit $1) waiting`,
      [LONG_FROM],
    );
    this.isLong = rows[0]?.isLong ?? false;
  }
}
