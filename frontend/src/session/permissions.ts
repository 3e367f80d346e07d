import { useOrganizationProfile, usePolicy } from '~/api/organization';
import type { MemberRole } from '~/api/types';
import { useOrganizationId } from './organization-context';

export type Permission =
  | 'organization.write'
  | 'organization.transfer'
  | 'organization.secure'
  | 'organization.delete'
  | 'members.leave'
  | 'members.write'
  | 'invitations.write'
  | 'apiKeys.read'
  | 'apiKeys.write'
  | 'audit.read'
  | 'billing.write'
  | 'connections.write'
  | 'runs.start'
  | 'apps.write'
  | 'sources.write'
  | 'destinations.write';

const NEEDS: Record<MemberRole, string> = {
  viewer: 'Needs a member',
  editor: 'Needs an editor',
  admin: 'Needs an admin',
  owner: 'Needs an owner',
};

/**
 * Why a control is closed to the caller, in words to stand beside it; null when it is open. Which role it takes comes from the
 * server's own table. Until that is known nothing is drawn as closed: the server decides. What it is needed for is named where
 * the control alone does not say so: `Needs an admin to reconnect`.
 */
export function usePermissionGate(permission: Permission, toDo?: string): string | null {
  const { data: organization } = useOrganizationProfile(useOrganizationId());
  const { data: policy } = usePolicy();
  if (!organization || organization.permissions.includes(permission)) return null;
  if (organization.isVisit) return 'You are looking in: nothing can be changed';
  const entry = policy?.permissions.find(({ name }) => name === permission);
  return NEEDS[entry?.role ?? 'admin'] + (toDo === undefined ? '' : ` to ${toDo}`);
}

/** Whether the user has the permission; null while unknown. For requests that are sent without a click and must not fail. */
export function useMay(permission: Permission): boolean | null {
  const { data: organization } = useOrganizationProfile(useOrganizationId());
  return organization ? organization.permissions.includes(permission) : null;
}
