import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../../core/database/database.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Metrics } from '../../core/observability/metrics.js';
import { Notifications } from '../../core/database/notifications.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { FollowUps } from '../run/follow-ups.js';
import { RunLog } from '../ledger/run-log.js';
import { RunQueue } from './run-queue.js';
import { IS_STUCK, STUCK_AFTER_SECONDS } from '../api/stuck.js';

// SQL: conditions that other statements use too, by the clock of the database.

const recoverRuns = defineScheduledJob('recover-runs', 'every-minute');

/** Longer than the time to detect a crashed worker: a run without a heartbeat for this long has no worker. */
const SILENT_AFTER_SECONDS = 90;
/**
 * A run whose worker is alive is reassigned after this long without progress. Longer than any time limit of one request or
 * statement (330 s for PostgreSQL): a new attempt would only wait for the same limit again.
 */
const TAKEN_AFTER_SECONDS = 900;

interface FoundRun {
  organizationId: string;
  connectionId: string;
  runId: string;
}

const FOUND = `r.organization_id as "organizationId", r.connection_id as "connectionId", r.id as "runId"`;

/** Every minute: reports runs without progress, and resumes runs without a worker. */
@Injectable()
export class RecoverRuns implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly log: RunLog,
    private readonly notifications: Notifications,
    private readonly metrics: Metrics,
    private readonly followUps: FollowUps,
    private readonly queue: RunQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(recoverRuns, () => this.recover());
  }

  async recover(): Promise<void> {
    for (const run of await this.find(`${IS_STUCK} and r.stuck_at is null`)) await this.report(run);
    for (const run of await this.findAbandoned()) await this.resume(run);
    await this.startFollowUps();
  }

  /** Intentionally over all organizations. Everything else about a run goes through TenantDatabase. */
  private async find(condition: string, parameters: unknown[] = []): Promise<FoundRun[]> {
    const text = `select ${FOUND} from runs r where r.ended_at is null and ${condition}`;
    return (await this.database.pool.query<FoundRun>(text, parameters)).rows;
  }

  /** A waiting job is not abandoned. A locked job whose run makes no progress is abandoned. */
  private findAbandoned(): Promise<FoundRun[]> {
    return this.find(
      `(greatest(r.queued_at, r.heartbeat_at, r.resume_at) < now() - make_interval(secs => $1)
        or r.state in ('running', 'verifying') and coalesce(r.progress_at, r.started_at) < now() - make_interval(secs => $2))
       and not exists (
         select 1 from graphile_worker.jobs j
          where j.key = 'run:' || r.id::text and j.locked_by is null and j.attempts < j.max_attempts)`,
      [SILENT_AFTER_SECONDS, TAKEN_AFTER_SECONDS],
    );
  }

  private async report({ organizationId, connectionId, runId }: FoundRun): Promise<void> {
    const { count } = await this.tenants
      .of(organizationId)
      .run.updateMany({ where: { id: runId, stuckAt: null, endedAt: null }, data: { stuckAt: new Date() } });
    if (count === 0) return;
    this.metrics.runsStuck.inc();
    this.logger.warn({ organizationId, connectionId, runId }, 'a run is stuck');
    const minutes = STUCK_AFTER_SECONDS / 60;
    await this.log.write({ organizationId, runId }, 'warn', `No progress for ${minutes} minutes: the run is stuck.`);
    await this.notifications.publish({ organizationId, connectionId, type: 'connection', data: { connectionId } });
  }

  private async resume({ organizationId, runId }: FoundRun): Promise<void> {
    this.logger.warn({ organizationId, runId }, 'resuming a run without a worker');
    await this.log.write({ organizationId, runId }, 'warn', 'The run had no worker. It is resumed.');
    await this.queue.addAgain(organizationId, runId, new Date());
  }

  /** Follow-up runs that were not started because their process stopped. */
  private async startFollowUps(): Promise<void> {
    const runs = await this.database.prisma.run.findMany({
      where: { hasFollowUp: true, endedAt: { not: null } },
      select: { organizationId: true, id: true },
    });
    for (const { organizationId, id: runId } of runs) await this.followUps.startIfPossible(organizationId, runId);
  }
}
