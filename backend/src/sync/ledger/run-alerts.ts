import { Injectable } from '@nestjs/common';
import { Alerts, type NewAlert } from '../../alerts/index.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { isConnectionCovered, isLastRunRepaired } from '../../read-models/index.js';

// SQL: a condition over the runs of a connection.

interface EndedRun {
  organizationId: string;
  connectionId: string;
}

/** A destination can show sent rows minutes or hours later. A daily connection has a second run by then. */
const UNVERIFIED_HOURS = 20;

/** Alerts of a connection, in the transaction that ends its run. */
@Injectable()
export class RunAlerts {
  constructor(
    private readonly alerts: Alerts,
    private readonly events: DomainEvents,
  ) {}

  /**
   * The alert of an app or destination covers all connections that fail because of it. An alert that is open already stays then, so
   * that its recovery is notified.
   */
  async failed(query: TenantQuery, { organizationId, connectionId }: EndedRun, failure: Failure): Promise<void> {
    await this.events.emit(query, 'run.failed', { organizationId, connectionId });
    if (await isConnectionCovered(query, connectionId)) return;
    await this.alerts.close(query, connectionId, ['connection.partial']);
    await this.alerts.open(query, organizationId, { kind: 'connection.failing', subjectId: connectionId, failure });
  }

  /** Some accounts or chunks are verified, others are not. The streak of failed runs has ended. */
  async partial(query: TenantQuery, { organizationId, connectionId }: EndedRun, failure: Failure): Promise<void> {
    await this.alerts.recover(query, organizationId, connectionId, ['connection.pause_pending']);
    if (await isConnectionCovered(query, connectionId)) return;
    await this.alerts.close(query, connectionId, ['connection.failing']);
    await this.alerts.open(query, organizationId, { kind: 'connection.partial', subjectId: connectionId, failure });
  }

  /**
   * Sent rows do not show at the destination yet. That is usual for hours, not for a day. The streak of failed runs has ended, and
   * whether the connection works again is not known yet.
   */
  async unverified(query: TenantQuery, run: EndedRun, failure: Failure): Promise<void> {
    await this.alerts.recover(query, run.organizationId, run.connectionId, ['connection.pause_pending']);
    if (await isUnverifiedForLong(query, run.connectionId)) await this.partial(query, run, failure);
  }

  /** The schema policy of the connection has paused it. */
  async waitsForDecision(query: TenantQuery, { organizationId, connectionId }: EndedRun, failure: Failure): Promise<void> {
    await this.alerts.open(query, organizationId, { kind: 'connection.paused', subjectId: connectionId, failure });
  }

  /** A run beside the regular ones has ended. It may have loaded what the last of them lost. */
  async repaired(query: TenantQuery, { organizationId, connectionId }: EndedRun): Promise<void> {
    if (!(await isLastRunRepaired(query, connectionId))) return;
    await this.alerts.recover(query, organizationId, connectionId, ['connection.failing', 'connection.partial']);
  }

  async succeeded(query: TenantQuery, { organizationId, connectionId }: EndedRun): Promise<void> {
    const ended: NewAlert['kind'][] = ['connection.pause_pending', 'connection.failing', 'connection.partial'];
    await this.alerts.recover(query, organizationId, connectionId, ended);
  }
}

/** Whether an unverified run was requested so long ago, and every regular run since then ended unverified too. */
async function isUnverifiedForLong(query: TenantQuery, connectionId: string): Promise<boolean> {
  const found = await query(
    `select 1 from runs r
      where r.organization_id = $1 and r.connection_id = $2 and r.track = 'regular' and r.state = 'unverified'
        and r.queued_at < now() - make_interval(hours => $3)
        and not exists (select from runs n
                         where n.organization_id = $1 and n.connection_id = $2 and n.track = 'regular' and n.queued_at > r.queued_at
                           and n.state in ('succeeded', 'partial', 'failed'))
      limit 1`,
    [connectionId, UNVERIFIED_HOURS],
  );
  return found.length > 0;
}
