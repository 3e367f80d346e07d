import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Alerts } from '../../alerts/index.js';
import { AuditService } from '../../audit/index.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { ConversionRuns } from '../run/conversion-runs.js';
import { resumed } from './resumed.js';

/** Continues the conversions of an app after a user has signed in again, also those that were paused because of the sign-in. */
@Injectable()
export class ResumeAfterReconnect implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly runs: ConversionRuns,
    private readonly alerts: Alerts,
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on('app.reconnected', async ({ organizationId, appId }) => {
      await this.resumeAll(organizationId, appId);
      await this.runs.startAllOfApp(organizationId, appId);
    });
  }

  private async resumeAll(organizationId: string, appId: string): Promise<void> {
    const tenant = this.tenants.of(organizationId);
    const paused = await tenant.conversion.findMany({
      where: {
        deletedAt: null,
        pausedReason: 'failures',
        pausedFailure: { path: ['class'], equals: 'auth' },
        OR: [{ targetAppId: appId }, { sourceAppId: appId }, { sourceDestination: { appId } }],
      },
      select: { id: true, name: true },
      orderBy: { id: 'asc' },
    });
    for (const { id, name } of paused)
      await this.tenants.write(organizationId, async (transaction, query) => {
        const { count } = await transaction.conversion.updateMany({
          where: { id, pausedReason: 'failures' },
          data: resumed(new Date()),
        });
        if (count === 0) return;
        await this.alerts.recover(query, organizationId, id, ['conversion.paused']);
        const target = { type: 'conversion', id, name };
        await this.audit.recordIn(organizationId, null, { action: 'conversion.resumed', target }, query);
      });
  }
}
