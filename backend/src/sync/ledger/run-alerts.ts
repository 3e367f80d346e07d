import { Injectable } from '@nestjs/common';
import { Alerts } from '../../alerts/index.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';

// SQL: runs in a transaction without Prisma (`TenantDatabase.together`).

interface EndedRun {
  organizationId: string;
  connectionId: string;
}

/** Alerts of a connection, in the transaction that ends its run. */
@Injectable()
export class RunAlerts {
  constructor(
    private readonly alerts: Alerts,
    private readonly events: DomainEvents,
  ) {}

  /** The alert of an app or destination covers all connections that fail because of it. */
  async failed(query: TenantQuery, { organizationId, connectionId }: EndedRun, failure: Failure): Promise<void> {
    await this.events.emit(query, 'run.failed', { organizationId, connectionId });
    const covering = await query(
      `select from connections c
         join sources s on s.organization_id = c.organization_id and s.id = c.source_id
         join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
         join alerts a on a.organization_id = c.organization_id and a.recovered_at is null
                      and a.subject_id in (s.app_id, d.app_id, d.id) and a.kind in ('app.needs_reauth', 'destination.unreachable')
        where c.organization_id = $1 and c.id = $2 limit 1`,
      [connectionId],
    );
    if (covering.length > 0) return;
    await this.alerts.open(query, organizationId, { kind: 'connection.failing', subjectId: connectionId, failure });
  }

  async succeeded(query: TenantQuery, { organizationId, connectionId }: EndedRun): Promise<void> {
    await this.alerts.close(query, connectionId, ['connection.pause_pending']);
    await this.alerts.recover(query, organizationId, connectionId, ['connection.failing']);
  }
}
