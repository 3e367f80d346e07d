import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { Reconnections } from '../apps/reconnections.service.js';
import { Entitlements } from '../billing/entitlements.service.js';
import { Jobs } from '../platform/jobs.js';
import { TenantDoor } from '../platform/tenant.js';
import { SyncService } from '../sync/sync.service.js';

const openedSchema = z.object({ organizationId: z.uuid(), openedAt: z.coerce.date() });

/** What waited goes on by itself: each connection brings the days it missed, after a reconnect and after a lapse. */
@Injectable()
export class CatchUp implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDoor,
    private readonly reconnections: Reconnections,
    private readonly entitlements: Entitlements,
    private readonly jobs: Jobs,
    private readonly sync: SyncService,
  ) {}

  onModuleInit(): void {
    this.reconnections.listen((organizationId, appId, actor) => this.startAll(organizationId, appId, actor));
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

  /** A job that is done again, after its worker died in the middle, goes on with those that have not begun. */
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
