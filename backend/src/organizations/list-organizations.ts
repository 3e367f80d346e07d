import { Injectable } from '@nestjs/common';
import type { Identity } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import type { OrganizationEntry, OrganizationIdsQuery } from './organizations.dto.js';
import { OrganizationsQueries } from './organizations.queries.js';

/** The specified list endpoint. The flag `superadmin` is ignored for users that the database does not mark as platform staff. */
@Injectable()
export class ListOrganizations {
  constructor(
    private readonly queries: OrganizationsQueries,
    private readonly audit: AuditService,
  ) {}

  async list(identity: Identity, { superadmin }: OrganizationIdsQuery): Promise<OrganizationEntry[]> {
    if (superadmin !== 'true' || !identity.isSuperAdmin) return this.queries.listOfUser(identity.uid);
    await this.audit.recordOverAll(identity, { action: 'super_admin.read', target: { type: 'organization', name: 'all' } });
    return this.queries.listAll(identity.uid);
  }
}
