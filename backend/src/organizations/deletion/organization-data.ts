import { Injectable } from '@nestjs/common';
import { assertSecondFactor, type Identity } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import type { OrganizationDataAnswer, OrganizationDataQuery } from '../organizations.dto.js';
import { OrganizationsQueries } from '../organizations.queries.js';

const MISSING: OrganizationDataAnswer = { data: null, status: 'not_found' };

/** The specified endpoint that reads documents of an organization. */
@Injectable()
export class OrganizationData {
  constructor(
    private readonly queries: OrganizationsQueries,
    private readonly audit: AuditService,
  ) {}

  async read(identity: Identity, { documentId, type, key }: OrganizationDataQuery): Promise<OrganizationDataAnswer> {
    const organization = await this.queries.findOrganizationDocument(identity.uid, documentId);
    if (!organization || !(await this.mayRead(identity, documentId, organization))) return MISSING;
    assertSecondFactor({ ...identity, role: organization.role, requiresSecondFactor: organization.require_second_factor });
    if (type === 'organization') return { data: organization, status: 'success' };
    if (type === 'subscription') {
      const { subscription } = organization as { subscription?: object };
      return { data: subscription ?? null, status: 'success' };
    }
    const documents = await this.queries.listDocuments(documentId, type, key);
    if (key === undefined) return { data: documents, status: 'success' };
    return documents[0] ? { data: documents[0], status: 'success' } : MISSING;
  }

  /** Allows members and platform staff. Rejected requests are recorded in the organization's audit trail. */
  private async mayRead(identity: Identity, organizationId: string, { role }: { role: unknown }): Promise<boolean> {
    if (role !== null) return true;
    const target = { type: 'permission', id: 'organization.read' };
    const actor = { ...identity, role: null, isVisit: identity.isSuperAdmin };
    if (identity.isSuperAdmin) await this.audit.recordIn(organizationId, actor, { action: 'super_admin.read', target });
    // Users who are not members can send such requests, so repeated ones are counted in one entry.
    else await this.audit.recordRejection({ ...actor, organizationId }, target, 'not_found');
    return identity.isSuperAdmin;
  }
}
