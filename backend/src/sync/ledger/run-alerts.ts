import { Injectable } from '@nestjs/common';
import { Alerts } from '../../alerts/index.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { isConnectionCovered, isLastRunRepaired } from '../../read-models/index.js';

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
    await this.alerts.close(query, connectionId, ['connection.partial']);
    if (await isConnectionCovered(query, connectionId)) return;
    await this.alerts.open(query, organizationId, { kind: 'connection.failing', subjectId: connectionId, failure });
  }

  /** Some accounts or chunks are verified, others are not. The streak of failed runs has ended. */
  async partial(query: TenantQuery, { organizationId, connectionId }: EndedRun, failure: Failure): Promise<void> {
    await this.alerts.close(query, connectionId, ['connection.pause_pending', 'connection.failing']);
    if (await isConnectionCovered(query, connectionId)) return;
    await this.alerts.open(query, organizationId, { kind: 'connection.partial', subjectId: connectionId, failure });
  }

  /** A run beside the regular ones has ended. It may have loaded what the last of them lost. */
  async repaired(query: TenantQuery, { organizationId, connectionId }: EndedRun): Promise<void> {
    if (!(await isLastRunRepaired(query, connectionId))) return;
    await this.alerts.recover(query, organizationId, connectionId, ['connection.failing', 'connection.partial']);
  }

  async succeeded(query: TenantQuery, { organizationId, connectionId }: EndedRun): Promise<void> {
    await this.alerts.close(query, connectionId, ['connection.pause_pending']);
    await this.alerts.recover(query, organizationId, connectionId, ['connection.failing', 'connection.partial']);
  }
}
