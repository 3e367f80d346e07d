import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Connectors } from '../../catalog/index.js';
import { Database } from '../../core/database/database.js';
import { newId } from '../../core/database/identifiers.js';
import { Notifications } from '../../core/database/notifications.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { Problem } from '../../core/http/problem.js';
import { queueJob, defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { RECONCILE, reconcileKey, reconcileQueue } from './reconcile-job.js';
import type { ConnectionReconciliation } from './reconciliations.dto.js';
import { ReconciliationsQueries } from './reconciliations.queries.js';

// SQL: inserts or returns the unfinished one in one statement; selects over all organizations.

const reconcileConnections = defineScheduledJob('reconcile-connections', 'every-night');

/** The nightly reconciliations are spread evenly over this time, so that scheduled runs find quota. */
const NIGHT_MS = 4 * 3_600_000;

interface ReconciliationRequest {
  organizationId: string;
  connectionId: string;
  appId: string;
  trigger: 'night' | 'user';
  actor: string | null;
  runAt?: Date;
}

/** Requests reconciliations, by the nightly job or by users, and returns their results. */
@Injectable()
export class Reconciliations implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly connectors: Connectors,
    private readonly queries: ReconciliationsQueries,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(reconcileConnections, () => this.startNightly());
  }

  /** Queues a reconciliation. If one is queued or running already, the request returns that one. */
  async request(organizationId: string, connectionId: string, actor: string): Promise<ConnectionReconciliation> {
    const { provider, appId } = await this.queries.getConnection(organizationId, connectionId);
    if (provider === 'custom')
      throw new Problem('connection.not_reconciled', {
        detail: `${this.connectors.nameOf(provider)} has no totals of its accounts.`,
        action: 'Audit the destination instead: it compares every day with the loaded rows',
      });
    await this.start({ organizationId, connectionId, appId, trigger: 'user', actor });
    return this.find(organizationId, connectionId);
  }

  async find(organizationId: string, connectionId: string): Promise<ConnectionReconciliation> {
    const { provider } = await this.queries.getConnection(organizationId, connectionId);
    return { isReconciled: provider !== 'custom', ...(await this.queries.listNewest(organizationId, connectionId)) };
  }

  async startNightly(): Promise<void> {
    // Intentionally over all organizations: it only selects ids. Each reconciliation then uses TenantDatabase.
    const { rows } = await this.database.pool.query<Pick<ReconciliationRequest, 'organizationId' | 'connectionId' | 'appId'>>(
      `select c.organization_id as "organizationId", c.id as "connectionId", a.id as "appId"
         from connections c
         join organizations o on o.id = c.organization_id and o.deleted_at is null
         join sources s on s.organization_id = c.organization_id and s.id = c.source_id
         join apps a on a.organization_id = s.organization_id and a.id = s.app_id
        where c.desired = 'active' and c.deleted_at is null and a.provider <> 'custom'
        order by c.id`,
    );
    const now = Date.now();
    for (const [index, ids] of rows.entries())
      await this.start({ ...ids, trigger: 'night', actor: null, runAt: new Date(now + (NIGHT_MS * index) / rows.length) });
  }

  /** A user's request does not wait for the night: it moves the queued job to now. */
  private async start({ organizationId, connectionId, appId, trigger, actor, runAt }: ReconciliationRequest): Promise<void> {
    await this.tenants.transaction(organizationId, async (query) => {
      // The partial unique index on unfinished reconciliations makes two concurrent requests create one.
      const [row] = await query<{ id: string; state: string }>(
        `with added as (
           insert into reconciliations (organization_id, id, connection_id, trigger, actor) values ($1, $2, $3, $4, $5)
           on conflict do nothing returning id, state)
         select id, state from added
         union all select id, state from reconciliations where organization_id = $1 and connection_id = $3 and ended_at is null limit 1`,
        [newId(), connectionId, trigger, actor],
      );
      if (row?.state !== 'queued') return;
      const options = { key: reconcileKey(row.id), queue: reconcileQueue(appId), ...(runAt && { runAt }) };
      await queueJob(query, RECONCILE, { organizationId, reconciliationId: row.id }, options);
    });
    await this.notifications.publish({ organizationId, connectionId, type: 'connection', data: { connectionId } });
  }
}
