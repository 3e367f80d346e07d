import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Entitlements } from '../../billing/index.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { type RunRequest, SyncService } from '../../sync/index.js';
import { AutomaticPause } from '../pausing/automatic-pause.js';

type Cause = Pick<RunRequest, 'trigger' | 'actor'>;

/**
 * Starts runs that load missed days: after a reconnect, after a subscription lapse, after a change of the destination or of the
 * written columns, and for new streams, accounts and days of the history. An event that is delivered again continues with the
 * connections that have no run yet; for new days it may start one run more.
 */
@Injectable()
export class CatchUp implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly events: DomainEvents,
    private readonly entitlements: Entitlements,
    private readonly sync: SyncService,
    private readonly pauses: AutomaticPause,
  ) {}

  onModuleInit(): void {
    this.events.on('app.reconnected', async ({ organizationId, appId, actor }) => {
      await this.pauses.resumeAfterReconnect(organizationId, appId);
      const ofApp = { OR: [{ source: { appId } }, { destination: { appId } }] };
      await this.startAll(organizationId, ofApp, { trigger: 'reconnect', actor });
    });
    this.events.on('access.opened', async ({ organizationId, openedAt }) => {
      const waiting = {
        organization: { deletedAt: null },
        runs: { none: { trigger: 'subscription', queuedAt: { gte: new Date(openedAt) } } },
      };
      await this.startAll(organizationId, waiting, { trigger: 'subscription', actor: null });
    });
    this.events.on('destination.moved', ({ organizationId, destinationId, actor, changedAt }) =>
      this.loadAgain(organizationId, { destinationId }, { trigger: 'destination', actor }, new Date(changedAt)),
    );
    this.events.on('connection.fields_changed', ({ organizationId, connectionId, actor, changedAt }) =>
      this.loadAgain(organizationId, { id: connectionId }, { trigger: 'user', actor }, new Date(changedAt)),
    );
    this.events.on('connection.days_added', ({ organizationId, connectionId, actor }) =>
      this.loadNewDays(organizationId, { id: connectionId }, { trigger: 'user', actor }),
    );
    this.events.on('source.accounts_added', ({ organizationId, sourceId, actor }) =>
      this.loadNewDays(organizationId, { sourceId }, { trigger: 'user', actor }),
    );
  }

  /** A run that is active keeps its plan, which has none of the new days. */
  private async loadNewDays(organizationId: string, where: Prisma.ConnectionWhereInput, cause: Cause): Promise<void> {
    if (await this.entitlements.isClosed(organizationId)) return;
    for (const connectionId of await this.listActive(organizationId, where))
      await this.sync.startAfterActive({ organizationId, connectionId, kind: 'catch_up', ...cause });
  }

  private async startAll(organizationId: string, where: Prisma.ConnectionWhereInput, cause: Cause): Promise<void> {
    if (await this.entitlements.isClosed(organizationId)) return;
    for (const connectionId of await this.listActive(organizationId, where))
      await this.sync.start({ organizationId, connectionId, kind: 'catch_up', ...cause });
  }

  /** An active run still writes to the old target. It is canceled, and a new run determines the missing days. */
  private async loadAgain(
    organizationId: string,
    where: Prisma.ConnectionWhereInput,
    cause: Cause,
    changedAt: Date,
  ): Promise<void> {
    const isClosed = await this.entitlements.isClosed(organizationId);
    const started = { trigger: cause.trigger, kind: 'catch_up', queuedAt: { gte: changedAt } } as const;
    for (const connectionId of await this.listActive(organizationId, { ...where, runs: { none: started } }))
      await this.tenants.transaction(organizationId, async (query) => {
        await this.sync.cancelActiveIn(query, organizationId, connectionId);
        if (!isClosed) await this.sync.startIn(query, { organizationId, connectionId, kind: 'catch_up', ...cause });
      });
  }

  private async listActive(organizationId: string, where: Prisma.ConnectionWhereInput): Promise<string[]> {
    const rows = await this.tenants.of(organizationId).connection.findMany({
      where: { ...where, deletedAt: null, desired: 'active' },
      select: { id: true },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ id }) => id);
  }
}
