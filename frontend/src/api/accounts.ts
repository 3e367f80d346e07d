import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import { isNotFound } from './http/problem';
import type { OrganizationDocument, UserRecord } from './types';
import type { components } from './schema';

/** Calls of the specification for users and organizations. The specification defines their names and fields. */

/**
 * The specification requires that failures of the user calls are logged and return null.
 * @param isExpected whether an error is an answer and not a failure
 */
async function orNull<T>(name: string, call: Promise<T>, isExpected = (_: unknown) => false): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (!isExpected(error)) console.warn(`${name} failed`, error);
    return null;
  }
}

/** The server's record of the user, created if it is missing. */
export const getOrSaveUser = async (body: components['schemas']['GetOrSaveUserBody']): Promise<UserRecord | null> =>
  (await orNull('getOrSaveUser', unwrap(client.POST('/api/getOrSaveUser', { body }))))?.user ?? null;

/** The server's record of the user; also null if there is none, as at each sign-up. */
export const getUser = async (userId: string): Promise<UserRecord | null> =>
  (await orNull('getUser', unwrap(client.POST('/api/getUser', { body: { userId } })), isNotFound))?.user ?? null;

/** The signed-in user, as in the newest token. */
export const useMe = () => useSWR(keys.me(), () => unwrap(client.GET('/api/v1/me')));

/** The user's identity proof for the support messenger. */
export const getIntercomHash = (userId: string): Promise<components['schemas']['IntercomHashAnswer'] | null> =>
  orNull('getIntercomHash', unwrap(client.POST('/api/getIntercomHash', { body: { userId } })));

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
