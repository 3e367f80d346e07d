import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AppsService } from '../apps/index.js';
import { AuditService } from '../audit/index.js';
import { notFound, Problem } from '../core/http/problem.js';
import { RESTORABLE_DAYS } from '../organizations/index.js';
import { TenantDatabase } from '../core/database/tenant-database.js';

interface DeletedSource {
  name: string;
  appId: string;
  appName: string;
  isDeleted: boolean;
  [column: string]: unknown;
}

/** Restores a deleted source. */
@Injectable()
export class RestoreSource {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly apps: AppsService,
    private readonly audit: AuditService,
  ) {}

  /** Names are not unique, so there is no name conflict. Does nothing if the source is restored already. */
  restore(actor: Actor, sourceId: string): Promise<void> {
    return this.tenants.transaction(actor.organizationId, async (query) => {
      const [source] = await query<DeletedSource>(
        `select t.name, t.app_id as "appId", a.display_name as "appName", t.deleted_at is not null as "isDeleted"
           from sources t join apps a on a.organization_id = t.organization_id and a.id = t.app_id
          where t.organization_id = $1 and t.id = $2
            and (t.deleted_at is null or t.deleted_at > now() - make_interval(days => $3)) for update of t`,
        [sourceId, RESTORABLE_DAYS],
      );
      if (!source) throw notFound('The source');
      if (!source.isDeleted) return;
      if (!(await this.apps.restoreApp(query, source.appId))) {
        throw new Problem('source.app_gone', {
          detail: `${source.appName}, the app of ${source.name}, was deleted too, and its credentials are erased.`,
          action: 'Connect the app again, and create a new source',
        });
      }
      await query('update sources set deleted_at = null, updated_at = now() where organization_id = $1 and id = $2', [sourceId]);
      const target = { type: 'source', id: sourceId, name: source.name };
      await this.audit.record(actor, { action: 'source.restored', target }, query);
    });
  }
}
