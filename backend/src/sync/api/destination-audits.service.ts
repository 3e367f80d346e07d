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
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import type { Failure } from '../../core/http/failure.dto.js';
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
/** The key of an audit's job is this prefix and the audit's id. */
export const AUDIT_KEY_PREFIX = 'audit:';
export const auditJobKey = (auditId: string): string => `${AUDIT_KEY_PREFIX}${auditId}`;
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
      await endLostAudit(query, connectionId);
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

/** An audit whose job has no attempts left would block all later audits of its connection. */
async function endLostAudit(query: TenantQuery, connectionId: string): Promise<void> {
  await query(
    `update destination_audits a set state = 'failed', ended_at = now(), failure = $3
      where a.organization_id = $1 and a.connection_id = $2 and a.ended_at is null and not exists (
        select 1 from graphile_worker.jobs j
         where j.key = $4 || a.id::text and (j.locked_by is not null or j.attempts < j.max_attempts))`,
    [connectionId, JSON.stringify(lostAudit), AUDIT_KEY_PREFIX],
  );
}

const lostAudit: Failure = {
  class: 'internal',
  code: 'sync.audit_lost',
  message: 'The audit was interrupted too often and did not end.',
  action: 'Ask the operator of this installation to check the worker logs',
  providerRequestId: null,
};
