import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { OrganizationDocument } from './types';
import type { components } from './schema';

/** Calls of the specification for users and organizations. The specification defines their names and fields. */

export const getOrSaveUser = (body: components['schemas']['GetOrSaveUserBody']) =>
  unwrap(client.POST('/api/getOrSaveUser', { body }));

export const getUser = (userId: string) => unwrap(client.POST('/api/getUser', { body: { userId } }));

/** The signed-in user, as in the newest token. */
export const useMe = () => useSWR(keys.me(), () => unwrap(client.GET('/api/v1/me')));

/** The user's identity proof for the support messenger. A failure is logged and returns null. */
export async function getIntercomHash(userId: string): Promise<components['schemas']['IntercomHashAnswer'] | null> {
  try {
    return await unwrap(client.POST('/api/getIntercomHash', { body: { userId } }));
  } catch (error) {
    console.warn('Failed to load the identity proof for the support messenger', error);
    return null;
  }
}

export const getOrganizationIds = (userId: string, superadmin: boolean) =>
  unwrap(client.GET('/api/getOrganizationIds', { params: { query: { userId, superadmin: superadmin ? 'true' : 'false' } } }));

export const createOrganization = (body: components['schemas']['CreateOrganizationBody']) =>
  unwrap(client.POST('/api/createOrganization', { body }));

export async function getOrganizationData(organizationId: string): Promise<OrganizationDocument | null> {
  const { data } = await unwrap(
    client.GET('/api/getOrganizationData', { params: { query: { documentId: organizationId, type: 'organization' } } }),
  );
  return data as unknown as OrganizationDocument | null;
}
