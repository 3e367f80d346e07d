import { Injectable } from '@nestjs/common';
import { type Actor, assertSecondFactor, type Identity } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { Notifications } from '../../core/database/notifications.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { RESTORABLE_DAYS } from '../../core/database/restorable.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { DeleterService } from './deleter.service.js';

// SQL: locks the organization's row.

interface OwnedOrganization {
  name: string;
  deletedAt: Date | null;
  isInTime: boolean;
  requiresSecondFactor: boolean;
  [column: string]: unknown;
}

/** A deleted organization is immediately inaccessible. Only its owners can see and restore it. */
@Injectable()
export class DeleteOrganization {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
    private readonly deleters: DeleterService,
    private readonly notifications: Notifications,
  ) {}

  async delete(actor: Actor, confirmName: string): Promise<void> {
    const { organizationId } = actor;
    await this.tenants.write(organizationId, async (transaction, query) => {
      const [organization] = await query<{ name: string }>(
        'select name from organizations where id = $1 and deleted_at is null for no key update',
      );
      if (!organization) throw notFound('The organization');
      const { name } = organization;
      if (name !== confirmName) {
        throw new Problem('organization.name_mismatch', {
          detail: `The name of the organization is ${name}.`,
          action: 'Enter the exact name',
          errors: [{ field: 'confirmName', message: 'confirmName must be the name of the organization' }],
        });
      }
      await transaction.organization.update({ where: { id: organizationId }, data: { deletedAt: new Date() } });
      const target = { type: 'organization', id: organizationId, name };
      await this.audit.record(actor, { action: 'organization.deleted', target }, query);
      await this.deleters.runInDeleteTransaction(query, organizationId);
      await this.notifications.publishAccessChange(query, { organizationId, userId: null });
    });
  }

  async restore(identity: Identity, organizationId: string): Promise<void> {
    await this.tenants.write(organizationId, async (transaction, query) => {
      const [organization] = await query<OwnedOrganization>(
        `select o.name, o.deleted_at as "deletedAt", o.require_second_factor as "requiresSecondFactor", o.deleted_at > now() - make_interval(days => $3) as "isInTime"
           from organizations o join members m on m.organization_id = o.id and m.user_id = $2 and m.role = 'owner'
          where o.id = $1 for no key update of o`,
        [identity.uid, RESTORABLE_DAYS],
      );
      if (!organization) throw notFound('The organization');
      assertSecondFactor({ ...identity, role: 'owner', requiresSecondFactor: organization.requiresSecondFactor });
      if (!organization.deletedAt) throw new Problem('organization.not_restorable', 'The organization is not deleted.');
      if (!organization.isInTime) {
        throw new Problem('organization.not_restorable', `It was deleted more than ${RESTORABLE_DAYS} days ago.`);
      }
      await transaction.organization.update({ where: { id: organizationId }, data: { deletedAt: null } });
      const target = { type: 'organization', id: organizationId, name: organization.name };
      await this.audit.recordIn(
        organizationId,
        { ...identity, role: 'owner' },
        { action: 'organization.restored', target },
        query,
      );
      await this.deleters.runInRestoreTransaction(query, organizationId);
    });
  }
}
