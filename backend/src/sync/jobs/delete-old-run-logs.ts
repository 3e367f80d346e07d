import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';

// SQL: deletes with a limit, the oldest rows first.

const forgetRunLogs = defineScheduledJob('forget-run-logs', 'every-minute');

/** Longer than the logs are needed. A connection that runs every 15 minutes writes about 100,000 lines in that time. */
export const LOG_DAYS = 30;
/** Rows deleted by one statement, so that no lock is held for long. The job deletes the next rows a minute later. */
const MOST_AT_ONCE = 10_000;

/** Deletes old log lines of runs over all organizations, by age only. Runs, slices and coverage stay. */
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
    await this.database.pool.query(
      `delete from run_log_entries where id in (
         select id from run_log_entries where at < now() - make_interval(days => $1) order by at limit $2)`,
      [LOG_DAYS, MOST_AT_ONCE],
    );
  }
}
