import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../platform/database.js';
import { Jobs } from '../platform/jobs.js';
import { LOGGER } from '../platform/logger.js';
import { RunQueue } from './run-queue.js';

/** Longer than a worker's heartbeat and its reaping together: what is silent for this long has no job any more. */
const SILENT_AFTER_SECONDS = 90;

/** The last net: an active run that nobody works on, and that nothing in the queue speaks of, is queued again. */
@Injectable()
export class RecoverRuns implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly queue: RunQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.register('recover-runs', () => this.recover(), 'every-minute');
  }

  async recover(): Promise<void> {
    // Over all organizations on purpose: it only hands ids to the queue, which opens each run through the tenant door.
    const { rows } = await this.database.pool.query<{ organizationId: string; runId: string }>(
      `select r.organization_id as "organizationId", r.id as "runId"
         from runs r
        where r.ended_at is null
          and greatest(r.queued_at, r.heartbeat_at, r.resume_at) < now() - make_interval(secs => $1)
          and not exists (select 1 from graphile_worker.jobs j where j.key = 'run:' || r.id::text)`,
      [SILENT_AFTER_SECONDS],
    );
    for (const run of rows) {
      this.logger.warn(run, 'queued a forgotten run again');
      await this.queue.addAgain(run.organizationId, run.runId, new Date());
    }
  }
}
