import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Reconnections } from '../apps/reconnections.service.js';
import { TenantDoor } from '../platform/tenant.js';
import { SyncService } from '../sync/sync.service.js';

/** One reconnect heals everything that reads through the app: each connection brings the days it missed. */
@Injectable()
export class CatchUp implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDoor,
    private readonly reconnections: Reconnections,
    private readonly sync: SyncService,
  ) {}

  onModuleInit(): void {
    this.reconnections.listen((organizationId, appId, actor) => this.startAll(organizationId, appId, actor));
  }

  private async startAll(organizationId: string, appId: string, actor: string): Promise<void> {
    const connections = await this.tenants.of(organizationId).connection.findMany({
      where: { deletedAt: null, desired: 'active', source: { appId } },
      select: { id: true },
    });
    for (const { id } of connections) {
      await this.sync.start({ organizationId, connectionId: id, kind: 'catch_up', trigger: 'reconnect', actor });
    }
  }
}
