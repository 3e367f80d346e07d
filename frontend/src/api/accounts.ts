import { request } from './request';
import type { OrganizationDocument, OrganizationEntry, UserRecord } from './types';

/** The documented calls about people and organizations; names and shapes are the specification's. */

export interface SavedUser {
  email: string;
  fullName: string | null;
  uid: string;
  photoURL: string | null;
}

export const getOrSaveUser = (body: { email: string; fullName?: string; uid: string; photoURL?: string }) =>
  request<{ success: boolean; message: string; user: SavedUser | null }>('POST', '/api/getOrSaveUser', { body });

export const getUser = (userId: string) =>
  request<{ success: boolean; message: string; user: UserRecord | null }>('POST', '/api/getUser', { body: { userId } });

export const getOrganizationIds = (userId: string, superadmin: boolean) =>
  request<{ success: boolean; organizations: OrganizationEntry[] }>('GET', '/api/getOrganizationIds', {
    query: { userId, superadmin },
  });

export interface NewOrganization {
  companyName: string;
  userId: string;
  isDefault: boolean;
  company_logo?: string;
}

export const createOrganization = (body: NewOrganization) =>
  request<{ success: boolean; message: string; organizationId: string }>('POST', '/api/createOrganization', { body });

export const getOrganizationData = (organizationId: string) =>
  request<{ data: OrganizationDocument | null; status: 'success' | 'not_found' }>('GET', '/api/getOrganizationData', {
    query: { documentId: organizationId, type: 'organization' },
  });
