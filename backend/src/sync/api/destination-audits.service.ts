import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { Connectors } from '../../catalog/index.js';
import { Database } from '../../core/database/database.js';
import { type Access, accessSql } from '../../access/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { newId } from '../../core/database/identifiers.js';
import { defineScheduledJob, defineJob, queueJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { Notifications } from '../../core/database/notifications.js';
import { Problem } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { ConnectionAudit } from './destination-audits.dto.js';
import { DestinationAuditsQueries } from './destination-audits.queries.js';

// SQL: selects connections over all organizations by the access rule (`accessSql`).

const auditDestinations = defineScheduledJob('audit-destinations', 'every-night');

/** The nightly audits are spread evenly over this time. */
const NIGHT_MS = 2 * 3_600_000;

interface AuditRequest {
  organizationId: string;
  connectionId: string;
  destinationId: string;
  trigger: 'night' | 'user';
  actor: string | null;
  runAt?: Date;
}

export const auditDestination = defineJob('audit-destination', z.object({ organizationId: z.uuid(), auditId: z.uuid() }), {
  slots: 'audits',
});
export const auditJobKey = (auditId: string): string => `audit:${auditId}`;
/** One audit at a time for each destination. */
export const auditQueue = (destinationId: string): string => `audit:${destinationId}`;

/** Requests audits, by the nightly job or by users, and returns their results. */
@Injectable()
export class DestinationAudits implements OnModuleInit {
  private readonly access: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly connectors: Connectors,
    private readonly queries: DestinationAuditsQueries,
    private readonly notifications: Notifications,
  ) {
    this.access = accessSql(env, 's');
  }

  onModuleInit(): void {
    this.jobs.handle(auditDestinations, () => this.startNightly());
  }

  /** Queues an audit. If one is queued or running already, the request returns that audit. */
  async request(organizationId: string, connectionId: string, actor: string): Promise<ConnectionAudit> {
    const connection = await this.queries.getConnection(organizationId, connectionId);
    if (!this.isAudited(connection.provider))
      throw new Problem('connection.not_audited', {
        detail: `${this.connectors.nameOf(connection.provider)} cannot report its rows by account and day.`,
        action: 'Run the connection instead: each run verifies the days it loads',
      });
    const { destinationId } = connection;
    await this.start({ organizationId, connectionId, destinationId, trigger: 'user', actor });
    return this.find(organizationId, connectionId);
  }

  async find(organizationId: string, connectionId: string): Promise<ConnectionAudit> {
    const { provider } = await this.queries.getConnection(organizationId, connectionId);
    return { isAudited: this.isAudited(provider), ...(await this.queries.listNewest(organizationId, connectionId)) };
  }

  async startNightly(): Promise<void> {
    // Intentionally over all organizations: it only selects ids. Each audit then uses TenantDatabase.
    const { rows } = await this.database.pool.query<{
      organizationId: string;
      connectionId: string;
      destinationId: string;
      access: Access;
    }>(
      `select c.organization_id as "organizationId", c.id as "connectionId", c.destination_id as "destinationId", ${this.access} as access
         from connections c
         join organizations o on o.id = c.organization_id and o.deleted_at is null
         join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
         join apps a on a.organization_id = d.organization_id and a.id = d.app_id
         left join subscriptions s on s.organization_id = c.organization_id
        where c.desired = 'active' and c.deleted_at is null and a.provider = any($1)
        order by c.id`,
      [this.connectors.all.destinations.filter(({ isAudited }) => isAudited).map(({ provider }) => provider)],
    );
    const open = rows.filter(({ access }) => access !== 'closed');
    const now = Date.now();
    for (const [index, { organizationId, connectionId, destinationId }] of open.entries()) {
      const runAt = new Date(now + (NIGHT_MS * index) / open.length);
      await this.start({ organizationId, connectionId, destinationId, trigger: 'night', actor: null, runAt });
    }
  }

  private isAudited(provider: string): boolean {
    return this.connectors.all.destinations.some((connector) => connector.provider === provider && connector.isAudited);
  }

  private async start({ organizationId, connectionId, destinationId, trigger, actor, runAt }: AuditRequest): Promise<void> {
    const id = newId();
    const started = await this.tenants.write(organizationId, async (transaction, query) => {
      // The partial unique index on unfinished audits makes two concurrent requests create one audit.
      const { count } = await transaction.destinationAudit.createMany({
        data: [{ id, organizationId, connectionId, trigger, actor }],
        skipDuplicates: true,
      });
      const options = { key: auditJobKey(id), queue: auditQueue(destinationId), ...(runAt && { runAt }) };
      if (count > 0) await queueJob(query, auditDestination, { organizationId, auditId: id }, options);
      return count > 0;
    });
    if (started) await this.notifications.publish({ organizationId, connectionId, type: 'connection', data: { connectionId } });
  }
}
