import { Injectable } from '@nestjs/common';
import type { AppEventKind } from '../generated/prisma/client.js';
import { newId } from '../core/database/identifiers.js';
import { type TenantClient, TenantDatabase } from '../core/database/tenant-database.js';

export interface AppEventToKeep {
  organizationId: string;
  appId: string;
  event: AppEventKind;
  /** E-mail of who did it; left out: the product by itself. */
  actor?: string;
  detail?: string;
}

const LONGEST_DETAIL = 500;

/** Keeps what became of an app. Given the client of a transaction, the entry holds together with the change. */
@Injectable()
export class AppHistory {
  constructor(private readonly tenants: TenantDatabase) {}

  async keep(
    { organizationId, appId, event, actor, detail }: AppEventToKeep,
    client: Pick<TenantClient, 'appEvent'> = this.tenants.of(organizationId),
  ): Promise<void> {
    await client.appEvent.create({
      data: {
        id: newId(),
        organizationId,
        appId,
        event,
        actor: actor ?? null,
        detail: detail?.slice(0, LONGEST_DETAIL) ?? null,
      },
    });
  }
}
