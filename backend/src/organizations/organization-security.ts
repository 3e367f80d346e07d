import { Injectable } from '@nestjs/common';
import { type Actor, secondFactorRequired } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { notFound, versionConflict } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { UpdateSecurityBody } from './organization-settings.dto.js';

// SQL: locks the organization's row.

/** Sign-in requirements for members of an organization. */
@Injectable()
export class OrganizationSecurity {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
  ) {}

  /** Applies from the next request of each owner and admin. */
  async update(actor: Actor, { requireSecondFactor, version }: UpdateSecurityBody): Promise<void> {
    if (requireSecondFactor && !actor.hasSecondFactor)
      throw secondFactorRequired('You would lose access, because you signed in without a second factor.');
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      const [current] = await query<{ name: string; requireSecondFactor: boolean; version: number }>(
        `select name, version, require_second_factor as "requireSecondFactor" from organizations
          where id = $1 and deleted_at is null for no key update`,
      );
      if (!current) throw notFound('The organization');
      if (version !== undefined && current.version !== version) throw versionConflict('organization');
      if (current.requireSecondFactor === requireSecondFactor) return;
      const data = { requireSecondFactor, version: { increment: 1 } };
      await transaction.organization.update({ where: { id: actor.organizationId }, data });
      const target = { type: 'organization', id: actor.organizationId, name: current.name };
      const before = { requireSecondFactor: current.requireSecondFactor };
      const change = { action: 'organization.security_changed', target, before, after: { requireSecondFactor } };
      await this.audit.record(actor, change, query);
    });
  }
}
