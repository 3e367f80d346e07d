import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { Reconnections } from '../../apps/index.js';
import { Entitlements } from '../../billing/index.js';
import { DestinationChanges } from '../../destinations/index.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { SyncService } from '../../sync/index.js';

const openedSchema = z.object({ organizationId: z.uuid(), openedAt: z.coerce.date() });

/** Starts runs that load missed days: after a reconnect, after a subscription lapse, and after a change of the destination. */
@Injectable()
export class CatchUp implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly reconnections: Reconnections,
    private readonly changes: DestinationChanges,
    private readonly entitlements: Entitlements,
    private readonly jobs: Jobs,
    private readonly sync: SyncService,
  ) {}

  onModuleInit(): void {
    this.reconnections.listen((organizationId, appId, actor) => this.startAll(organizationId, appId, actor));
    this.changes.listen((organizationId, destinationId, actor) => this.startMoved(organizationId, destinationId, actor));
    this.jobs.register('access-opened', (payload) => this.startWaiting(payload));
  }

  private async startAll(organizationId: string, appId: string, actor: string): Promise<void> {
    if (await this.entitlements.isClosed(organizationId)) return;
    const connections = await this.tenants.of(organizationId).connection.findMany({
      where: { deletedAt: null, desired: 'active', OR: [{ source: { appId } }, { destination: { appId } }] },
      select: { id: true },
    });
    for (const { id } of connections) {
      await this.sync.start({ organizationId, connectionId: id, kind: 'catch_up', trigger: 'reconnect', actor });
    }
  }

  /** An active run still writes to the old target. It is canceled, and a new run determines the missing days. */
  private async startMoved(organizationId: string, destinationId: string, actor: string): Promise<void> {
    const connections = await this.tenants.of(organizationId).connection.findMany({
      where: { deletedAt: null, desired: 'active', destinationId },
      select: { id: true },
    });
    const isClosed = await this.entitlements.isClosed(organizationId);
    for (const { id } of connections) {
      await this.sync.cancelActive(organizationId, id);
      if (!isClosed) await this.sync.start({ organizationId, connectionId: id, kind: 'catch_up', trigger: 'destination', actor });
    }
  }

  /** A job that is retried after its worker crashed continues with connections that have not begun. */
  private async startWaiting(payload: unknown): Promise<void> {
    const { organizationId, openedAt } = openedSchema.parse(payload);
    if (await this.entitlements.isClosed(organizationId)) return;
    const connections = await this.tenants.of(organizationId).connection.findMany({
      where: {
        deletedAt: null,
        desired: 'active',
        organization: { deletedAt: null },
        runs: { none: { trigger: 'subscription', queuedAt: { gte: openedAt } } },
      },
      select: { id: true },
    });
    for (const { id } of connections) {
      await this.sync.start({ organizationId, connectionId: id, kind: 'catch_up', trigger: 'subscription', actor: null });
    }
  }
}
