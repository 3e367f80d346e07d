import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { OrganizationDocument } from './types';
import type { components } from './schema';

/** The documented calls about people and organizations; names and shapes are the specification's. */

export const getOrSaveUser = (body: components['schemas']['GetOrSaveUserBody']) =>
  unwrap(client.POST('/api/getOrSaveUser', { body }));

export const getUser = (userId: string) => unwrap(client.POST('/api/getUser', { body: { userId } }));

/** The signed-in user, according to the newest token. */
export const useMe = () => useSWR(keys.me(), () => unwrap(client.GET('/api/v1/me')));

/** The caller's proof of identity for the messenger; a failure is only logged, and gives null. */
export async function getIntercomHash(userId: string): Promise<components['schemas']['IntercomHashAnswer'] | null> {
  try {
    return await unwrap(client.POST('/api/getIntercomHash', { body: { userId } }));
  } catch (error) {
    console.warn('The messenger has no proof of who is here', error);
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
