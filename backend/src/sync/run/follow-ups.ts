import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../core/observability/logger.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { SyncService } from '../api/sync.service.js';

/** Starts the run that was requested while a narrower run was active. */
@Injectable()
export class FollowUps {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tenants: TenantDatabase,
    private readonly sync: SyncService,
  ) {}

  /**
   * Another run may be active by now. It may have planned its days before they were lost, so the follow-up run is not left out: it
   * follows that run. Starts the run before marking it as started: a crash in between starts one run too many, never one too few.
   */
  async start(organizationId: string, runId: string): Promise<void> {
    const tenant = this.tenants.of(organizationId);
    const run = await tenant.run.findFirst({
      where: { id: runId, hasFollowUp: true, endedAt: { not: null } },
      select: { connectionId: true, followUpActor: true },
    });
    if (!run) return;
    const { connectionId, followUpActor: actor } = run;
    await this.sync.startAfterActive({ organizationId, connectionId, kind: 'manual', trigger: 'user', actor });
    await tenant.run.updateMany({ where: { id: runId }, data: { hasFollowUp: false } });
  }

  /** Called after the end of a run. If it fails here, the next round of `recover-runs` starts the follow-up run. */
  async startIfPossible(organizationId: string, runId: string): Promise<void> {
    await this.start(organizationId, runId).catch((error: unknown) =>
      this.logger.warn({ err: error, organizationId, runId }, 'could not start the follow-up run: retrying later'),
    );
  }
}
