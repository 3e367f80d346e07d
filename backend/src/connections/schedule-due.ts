import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database.js';
import { Jobs } from '../platform/jobs.js';
import { TenantDoor } from '../platform/tenant.js';
import { SyncService } from '../sync/sync.service.js';
import { nextRunAt, type Schedule } from './schedule.js';

interface DueConnection {
  id: string;
  organizationId: string;
  schedule: Schedule;
  nextRunAt: Date;
}

/** Every minute: starts what is due. A run that is still going takes over what the next one would have brought. */
@Injectable()
export class ScheduleDue implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDoor,
    private readonly jobs: Jobs,
    private readonly sync: SyncService,
  ) {}

  onModuleInit(): void {
    this.jobs.register('schedule-due', () => this.startDue(), 'every-minute');
  }

  async startDue(): Promise<void> {
    // Over all organizations on purpose: it only picks ids; each is then started through its own tenant door.
    const { rows } = await this.database.pool.query<DueConnection>(
      `select id, organization_id as "organizationId", schedule, next_run_at as "nextRunAt"
         from connections
        where next_run_at <= now() and desired = 'active' and deleted_at is null
          and exists (select from organizations o where o.id = connections.organization_id and o.deleted_at is null)
        order by next_run_at limit 1000`,
    );
    for (const connection of rows) await this.startOne(connection);
  }

  private async startOne({ id, organizationId, schedule, nextRunAt: dueAt }: DueConnection): Promise<void> {
    // Whoever moves the time on starts the run, so that two workers make one.
    const { count } = await this.tenants.of(organizationId).connection.updateMany({
      where: { id, nextRunAt: dueAt },
      data: { nextRunAt: nextRunAt(schedule, new Date()) },
    });
    if (count > 0)
      await this.sync.start({ organizationId, connectionId: id, kind: 'scheduled', trigger: 'schedule', actor: null });
  }
}
