import { Injectable } from '@nestjs/common';
import type { AppEventKind } from '../generated/prisma/client.js';
import { newId } from '../core/database/identifiers.js';
import type { Database } from '../core/database/database.js';
import { type TenantClient, TenantDatabase } from '../core/database/tenant-database.js';

// SQL: deletes rows that a newer row of the same table replaces.

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

/** Over all organizations. The last sign-in of an app is kept as long as the app. */
export async function deleteOldAppEvents({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query(
    `delete from app_events old where old.at < now() - interval '90 days'
        and (old.event not in ('connected', 'reconnected')
             or exists (select 1 from app_events newer
                         where newer.organization_id = old.organization_id and newer.app_id = old.app_id
                           and newer.event in ('connected', 'reconnected') and newer.id > old.id))`,
  );
}
