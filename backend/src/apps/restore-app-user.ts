import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { TenantDatabase, type TenantTransaction } from '../core/database/tenant-database.js';
import { notFound, Problem } from '../core/http/problem.js';
import { RESTORABLE_DAYS } from '../core/database/restorable.js';
import { AppsService } from './apps.service.js';

// SQL: locks the app's row.

interface DeletedAppUser {
  name: string;
  appId: string;
  appName: string;
  isDeleted: boolean;
  [column: string]: unknown;
}

const KINDS = {
  source: { table: 'sources', appGone: 'source.app_gone' },
  destination: { table: 'destinations', appGone: 'destination.app_gone' },
} as const;

/** Restores a deleted source or destination, with its app. */
@Injectable()
export class RestoreAppUser {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly apps: AppsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Names are not unique, so there is no name conflict. Does nothing if it is restored already.
   * @param undelete writes the row, in the same transaction
   */
  restore(
    actor: Actor,
    kind: keyof typeof KINDS,
    id: string,
    undelete: (transaction: TenantTransaction) => Promise<unknown>,
  ): Promise<void> {
    const { table, appGone } = KINDS[kind];
    return this.tenants.write(actor.organizationId, async (transaction, query) => {
      const [deleted] = await query<DeletedAppUser>(
        `select t.name, t.app_id as "appId", a.display_name as "appName", t.deleted_at is not null as "isDeleted"
           from ${table} t join apps a on a.organization_id = t.organization_id and a.id = t.app_id
          where t.organization_id = $1 and t.id = $2
            and (t.deleted_at is null or t.deleted_at > now() - make_interval(days => $3)) for update of t`,
        [id, RESTORABLE_DAYS],
      );
      if (!deleted) throw notFound(`The ${kind}`);
      if (!deleted.isDeleted) return;
      if (!(await this.apps.restoreApp(transaction, deleted.appId))) {
        throw new Problem(appGone, {
          detail: `${deleted.appName}, the app of ${deleted.name}, was deleted too, and its credentials are erased.`,
          action: `Connect the app again, and create a new ${kind}`,
        });
      }
      await undelete(transaction);
      const target = { type: kind, id, name: deleted.name };
      await this.audit.record(actor, { action: `${kind}.restored`, target }, query);
    });
  }
}
