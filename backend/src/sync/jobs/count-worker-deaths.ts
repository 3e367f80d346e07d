import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { SqlQuery } from '../../core/database/database.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { queryOf } from '../../core/database/tenant-database.js';
import { AUDIT_KEY_PREFIX } from '../api/destination-audits.service.js';
import { isSuspected, RUN_KEY_PREFIX } from './run-job.js';
import { RunQueue } from './run-queue.js';

// SQL: skips locked rows, in one transaction over several organizations.

interface HeldRun {
  organizationId: string;
  runId: string;
  workerDeaths: number;
}

/**
 * Finds the run that crashes its workers. At first, all runs of a crashed worker are counted. A suspected run is resumed without
 * other suspected runs, and from then on only that run is counted. Jobs of runs are queued again with all their attempts.
 */
@Injectable()
export class CountWorkerDeaths implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: Jobs,
    private readonly queue: RunQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.onWorkerDeath((query, jobKeys) => this.count(query, jobKeys));
  }

  private async count(query: SqlQuery, jobKeys: string[]): Promise<void> {
    await this.countOfAudits(query, idsOf(jobKeys, AUDIT_KEY_PREFIX));
    const ids = idsOf(jobKeys, RUN_KEY_PREFIX);
    if (ids.length === 0) return;
    // Intentionally over all organizations, because they shared a worker. A locked row belongs to a worker that is still running.
    const runs = await query<HeldRun>(
      `select organization_id as "organizationId", id as "runId", worker_deaths as "workerDeaths"
         from runs where id = any($1::uuid[]) and ended_at is null order by id for update skip locked`,
      [ids],
    );
    const hasSuspect = runs.some(({ workerDeaths }) => isSuspected(workerDeaths));
    for (const run of runs) await this.resume(query, run, !hasSuspect || isSuspected(run.workerDeaths));
  }

  /** The unlocked job starts the audit again, or ends it after too many crashes. */
  private async countOfAudits(query: SqlQuery, ids: string[]): Promise<void> {
    if (ids.length > 0)
      await query('update destination_audits set worker_deaths = worker_deaths + 1 where id = any($1::uuid[])', [ids]);
  }

  private async resume(query: SqlQuery, { organizationId, runId, workerDeaths }: HeldRun, isCounted: boolean): Promise<void> {
    const deaths = isCounted ? workerDeaths + 1 : workerDeaths;
    const tenantQuery = queryOf(query, organizationId);
    await tenantQuery(`update runs set worker_deaths = $3 where organization_id = $1 and id = $2`, [runId, deaths]);
    await this.queue.addAgainWithin(tenantQuery, runId, new Date());
    this.logger.warn({ organizationId, runId, workerDeaths: deaths }, 'resuming the run of a crashed worker');
  }
}

const idsOf = (jobKeys: string[], prefix: string): string[] =>
  jobKeys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
