import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../platform/database.js';
import { type Access, accessSql } from '../platform/entitlement.js';
import { ENV, type Env } from '../platform/env.js';
import { Jobs } from '../platform/jobs.js';
import { LOGGER } from '../platform/logger.js';
import { TenantDoor } from '../platform/tenant.js';
import { SyncService } from '../sync/sync.service.js';
import { nextRunAt, type Schedule } from './schedule.js';

/** After how long a next run that could not be computed is computed again. */
const COMPUTE_AGAIN_MS = 3_600_000;

interface DueConnection {
  id: string;
  organizationId: string;
  schedule: Schedule;
  nextRunAt: Date;
  access: Access;
}

/** Every minute: starts what is due. A run that is still going takes over what the next one would have brought. */
@Injectable()
export class ScheduleDue implements OnModuleInit {
  private readonly access: string;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly tenants: TenantDoor,
    private readonly jobs: Jobs,
    private readonly sync: SyncService,
  ) {
    this.access = accessSql(env, 's');
  }

  onModuleInit(): void {
    this.jobs.register('schedule-due', () => this.startDue(), 'every-minute');
  }

  async startDue(): Promise<void> {
    // Over all organizations on purpose: it only picks ids; each is then started through its own tenant door.
    const { rows } = await this.database.pool.query<DueConnection>(
      `select c.id, c.organization_id as "organizationId", c.schedule, c.next_run_at as "nextRunAt", ${this.access} as access
         from connections c
         join organizations o on o.id = c.organization_id and o.deleted_at is null
         left join subscriptions s on s.organization_id = c.organization_id
        where c.next_run_at <= now() and c.desired = 'active' and c.deleted_at is null
        order by c.next_run_at limit 1000`,
    );
    for (const connection of rows) await this.startIsolated(connection);
  }

  /** What fails for one connection must not stop the schedules of the others. */
  private async startIsolated(connection: DueConnection): Promise<void> {
    try {
      await this.startOne(connection);
    } catch (error) {
      const { id: connectionId, organizationId } = connection;
      this.logger.error({ err: error, connectionId, organizationId }, 'a scheduled run could not be started');
    }
  }

  private async startOne(connection: DueConnection): Promise<void> {
    const { id, organizationId, nextRunAt: dueAt, access } = connection;
    // The worker that moves the time on starts the run, so that two workers start one.
    const { count } = await this.tenants.of(organizationId).connection.updateMany({
      where: { id, nextRunAt: dueAt },
      data: { nextRunAt: this.computeNext(connection) },
    });
    // Without a subscription runs are skipped; the catch-up run loads the missed days.
    if (count > 0 && access !== 'closed')
      await this.sync.start({ organizationId, connectionId: id, kind: 'scheduled', trigger: 'schedule', actor: null });
  }

  /** Schedules are validated when they are saved; a later update of the time zone data can still make one invalid. */
  private computeNext({ id, organizationId, schedule }: DueConnection): Date | null {
    const now = new Date();
    try {
      const next = nextRunAt(schedule, now);
      if (next && Number.isNaN(next.getTime())) throw new RangeError('The schedule has no next run.');
      return next;
    } catch (error) {
      this.logger.error({ err: error, connectionId: id, organizationId, schedule }, 'the next run could not be computed');
      return new Date(now.getTime() + COMPUTE_AGAIN_MS);
    }
  }
}
