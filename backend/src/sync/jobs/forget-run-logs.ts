import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { Jobs } from '../../core/jobs/jobs.js';

/** Longer than anybody asks why a run did what it did; a connection every 15 minutes writes some 100,000 lines in that time. */
export const LOG_DAYS = 30;
/** In one statement, so that no lock is held for long; what is left goes with the next minute. */
const MOST_AT_ONCE = 10_000;

/** Ends what runs wrote of themselves, over all organizations: it only goes by age. Runs, slices and coverage stay. */
@Injectable()
export class ForgetRunLogs implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register('forget-run-logs', () => this.forget(), 'every-minute');
  }

  async forget(): Promise<void> {
    await this.database.pool.query(
      `delete from run_log_entries where id in (
         select id from run_log_entries where at < now() - make_interval(days => $1) order by at limit $2)`,
      [LOG_DAYS, MOST_AT_ONCE],
    );
  }
}
