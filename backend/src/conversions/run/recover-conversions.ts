import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../../core/database/database.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { ConversionRuns } from './conversion-runs.js';

// SQL: compares conversions with the jobs of the queue, by the clock of the database.

const recoverConversions = defineScheduledJob('recover-conversions', 'every-minute');

/** Longer than the time in which a crashed worker is detected and its job is unlocked. */
const OVERDUE_AFTER_SECONDS = 90;
/** Conversions of one round. The others follow in the next one. */
const BATCH = 200;

/**
 * Every minute: queues overdue runs of conversions that no worker executes or will execute. The queue gives a job up after 25 attempts,
 * for example when its worker crashes each time.
 */
@Injectable()
export class RecoverConversions implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly runs: ConversionRuns,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(recoverConversions, () => this.recover());
  }

  async recover(): Promise<void> {
    for (const { organizationId, conversionId } of await this.listAbandoned()) {
      this.logger.warn({ organizationId, conversionId }, 'resuming a conversion without a job');
      await this.runs.start(organizationId, conversionId);
    }
  }

  /** Intentionally over all organizations. */
  private async listAbandoned(): Promise<{ organizationId: string; conversionId: string }[]> {
    const { rows } = await this.database.pool.query<{ organizationId: string; conversionId: string }>(
      `select c.organization_id as "organizationId", c.id as "conversionId" from conversions c
         join organizations o on o.id = c.organization_id and o.deleted_at is null
        where c.deleted_at is null and c.desired = 'active'
          and (least(c.next_run_at, c.waiting_until) < now() - make_interval(secs => $1)
               or exists (select from conversion_runs r
                           where r.organization_id = c.organization_id and r.conversion_id = c.id and r.state = 'running'
                             and r.started_at < now() - make_interval(secs => $1)))
          and not exists (select from graphile_worker.jobs j
                           where j.key = 'conversion:' || c.id::text and (j.locked_by is not null or j.attempts < j.max_attempts))
        order by c.id limit $2`,
      [OVERDUE_AFTER_SECONDS, BATCH],
    );
    return rows;
  }
}
