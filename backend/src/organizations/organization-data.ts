import { Injectable } from '@nestjs/common';
import type { OrganizationDataAnswer, OrganizationDataQuery } from './organizations.dto.js';
import { OrganizationsQueries } from './organizations.queries.js';

const MISSING: OrganizationDataAnswer = { data: null, status: 'not_found' };

/** The documented read of any document of an organization. */
@Injectable()
export class OrganizationData {
  constructor(private readonly queries: OrganizationsQueries) {}

  async read(uid: string, { documentId, type, key }: OrganizationDataQuery): Promise<OrganizationDataAnswer> {
    const organization = await this.queries.findOrganizationDocument(uid, documentId);
    if (!organization) return MISSING;
    if (type === 'organization') return { data: organization, status: 'success' };
    const documents = await this.queries.listDocuments(documentId, type, key);
    if (key === undefined) return { data: documents, status: 'success' };
    return documents[0] ? { data: documents[0], status: 'success' } : MISSING;
  }
}
