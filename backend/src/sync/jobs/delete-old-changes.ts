import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';

// SQL: one index scan for each organization, with a limit.

const forgetCoverageChanges = defineScheduledJob('forget-coverage-changes', 'every-quarter-hour');

/** Longer than the longest lookback window, so that every settling time is computed from all changes of its days. */
export const CHANGE_DAYS = 400;
/** Rows deleted by one statement, so that no lock is held for long. The job deletes the next rows 15 minutes later. */
const MOST_AT_ONCE = 20_000;

/** Deletes old coverage changes over all organizations, by age only. The coverage itself stays. */
@Injectable()
export class DeleteOldChanges implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(forgetCoverageChanges, () => this.deleteOld());
  }

  /** One index scan for each organization, because the index begins with the organization. */
  async deleteOld(): Promise<void> {
    await this.database.pool.query(
      `delete from coverage_changes c
        using (select old.* from organizations o
                cross join lateral (
                  select organization_id, connection_id, stream, account_id, day, changed_at from coverage_changes
                   where organization_id = o.id and changed_at < now() - make_interval(days => $1) limit $2) old
                limit $2) gone
        where (c.organization_id, c.connection_id, c.stream, c.account_id, c.day, c.changed_at)
            = (gone.organization_id, gone.connection_id, gone.stream, gone.account_id, gone.day, gone.changed_at)`,
      [CHANGE_DAYS, MOST_AT_ONCE],
    );
  }
}
