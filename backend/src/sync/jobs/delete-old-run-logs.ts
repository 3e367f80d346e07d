import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';

// SQL: calls a function of the database, because the application may not create or drop tables.

const forgetRunLogs = defineScheduledJob('forget-run-logs', 'every-night');

/** Longer than the logs are needed. A connection that runs every 15 minutes writes about 100,000 lines in that time. */
export const LOG_DAYS = 30;

/**
 * Drops the months of the run log whose lines are all older, over all organizations, and creates the partitions of the next two
 * months. Runs, slices and coverage stay. If a table is in use for more than two seconds, the job fails and is retried.
 */
@Injectable()
export class DeleteOldRunLogs implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(forgetRunLogs, () => this.deleteOld());
  }

  async deleteOld(): Promise<void> {
    await this.database.pool.query('select maintain_run_log_partitions(make_interval(days => $1))', [LOG_DAYS]);
  }
}
