import { Injectable } from '@nestjs/common';
import type { AppEventKind } from '../generated/prisma/client.js';
import { newId } from '../core/database/identifiers.js';
import { type TenantClient, TenantDatabase } from '../core/database/tenant-database.js';

export interface NewAppEvent {
  organizationId: string;
  appId: string;
  event: AppEventKind;
  /** E-mail of the user; absent for automatic changes. */
  actor?: string;
  detail?: string;
}

const MAX_DETAIL_LENGTH = 500;

/** Stores the events of an app. With the client of a transaction, the entry is part of that transaction. */
@Injectable()
export class AppHistory {
  constructor(private readonly tenants: TenantDatabase) {}

  async record(
    { organizationId, appId, event, actor, detail }: NewAppEvent,
    client: Pick<TenantClient, 'appEvent'> = this.tenants.of(organizationId),
  ): Promise<void> {
    await client.appEvent.create({
      data: {
        id: newId(),
        organizationId,
        appId,
        event,
        actor: actor ?? null,
        detail: detail?.slice(0, MAX_DETAIL_LENGTH) ?? null,
      },
    });
  }
}
