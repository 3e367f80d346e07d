import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database.js';
import { type Access, accessSql } from '../platform/entitlement.js';
import { ENV, type Env } from '../platform/env.js';
import { Jobs } from '../platform/jobs.js';
import { TenantDoor } from '../platform/tenant.js';
import { SyncService } from '../sync/sync.service.js';
import { nextRunAt, type Schedule } from './schedule.js';

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
    for (const connection of rows) await this.startOne(connection);
  }

  private async startOne({ id, organizationId, schedule, nextRunAt: dueAt, access }: DueConnection): Promise<void> {
    // Whoever moves the time on starts the run, so that two workers make one.
    const { count } = await this.tenants.of(organizationId).connection.updateMany({
      where: { id, nextRunAt: dueAt },
      data: { nextRunAt: nextRunAt(schedule, new Date()) },
    });
    // While nobody pays the time goes by; what was missed is caught up in one run when somebody does.
    if (count > 0 && access !== 'closed')
      await this.sync.start({ organizationId, connectionId: id, kind: 'scheduled', trigger: 'schedule', actor: null });
  }
}
