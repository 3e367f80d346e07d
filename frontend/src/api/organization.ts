import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { Organization, OrganizationChange } from './types';

const at = (organizationId: string) => ({ params: { path: { organizationId } } });

export const getOrganization = (organizationId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}', at(organizationId)));

export const updateOrganization = (organizationId: string, body: OrganizationChange) =>
  unwrap(client.PATCH('/api/v1/organizations/{organizationId}', { ...at(organizationId), body }));

export const updateSecurity = (organizationId: string, requireSecondFactor: boolean) =>
  unwrap(
    client.PATCH('/api/v1/organizations/{organizationId}/security', { ...at(organizationId), body: { requireSecondFactor } }),
  );

/** The choice of the user. It is not a setting of the organization. */
export const updateMembership = (organizationId: string, isDefault: boolean) =>
  unwrap(client.PATCH('/api/v1/organizations/{organizationId}/membership', { ...at(organizationId), body: { isDefault } }));

export const deleteOrganization = (organizationId: string, confirmName: string) =>
  unwrap(
    client.DELETE('/api/v1/organizations/{organizationId}', {
      params: { path: { organizationId }, query: { confirmName } },
    }),
  );

export const restoreOrganization = (organizationId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/restore', at(organizationId)));

export const transferOrganization = (organizationId: string, userId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/transfer', { ...at(organizationId), body: { userId } }));

/** The organization with the user's permissions. */
export const useOrganizationProfile = (organizationId: string) =>
  useSWR<Organization>(keys.profile(organizationId), () => getOrganization(organizationId));

/** The roles and permissions, requested if they are needed. They only change with a deployment. */
export const usePolicy = (isNeeded: boolean) =>
  useSWR(isNeeded ? keys.policy() : null, () => unwrap(client.GET('/api/v1/policy')), {
    revalidateOnFocus: false,
    revalidateIfStale: false,
  });

export const useDeletedOrganizations = () =>
  useSWR(keys.deletedOrganizations(), () => unwrap(client.GET('/api/v1/me/deleted-organizations')), { revalidateOnFocus: false });
