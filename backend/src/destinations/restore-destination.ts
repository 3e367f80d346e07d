import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AppsService } from '../apps/index.js';
import { AuditService } from '../audit/index.js';
import { notFound, Problem } from '../core/http/problem.js';
import { RESTORABLE_DAYS } from '../organizations/index.js';
import { TenantDatabase } from '../core/database/tenant-database.js';

interface DeletedDestination {
  name: string;
  appId: string;
  appName: string;
  isDeleted: boolean;
  [column: string]: unknown;
}

/** Restores a deleted destination. */
@Injectable()
export class RestoreDestination {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly apps: AppsService,
    private readonly audit: AuditService,
  ) {}

  /** Names are not unique, so there is no name conflict. Does nothing if the destination is restored already. */
  restore(actor: Actor, destinationId: string): Promise<void> {
    return this.tenants.transaction(actor.organizationId, async (query) => {
      const [destination] = await query<DeletedDestination>(
        `select t.name, t.app_id as "appId", a.display_name as "appName", t.deleted_at is not null as "isDeleted"
           from destinations t join apps a on a.organization_id = t.organization_id and a.id = t.app_id
          where t.organization_id = $1 and t.id = $2
            and (t.deleted_at is null or t.deleted_at > now() - make_interval(days => $3)) for update of t`,
        [destinationId, RESTORABLE_DAYS],
      );
      if (!destination) throw notFound('The destination');
      if (!destination.isDeleted) return;
      if (!(await this.apps.restoreApp(query, destination.appId))) {
        throw new Problem('destination.app_gone', {
          detail: `${destination.appName}, the app of ${destination.name}, was deleted too, and its credentials are erased.`,
          action: 'Connect the app again, and create a new destination',
        });
      }
      await query('update destinations set deleted_at = null, updated_at = now() where organization_id = $1 and id = $2', [
        destinationId,
      ]);
      const target = { type: 'destination', id: destinationId, name: destination.name };
      await this.audit.record(actor, { action: 'destination.restored', target }, query);
    });
  }
}
