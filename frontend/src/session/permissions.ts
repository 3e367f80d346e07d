import { useOrganizationProfile, usePolicy } from '~/api/organization';
import type { MemberRole } from '~/api/types';
import { useOrganizationId } from './organization-context';

export type Permission =
  | 'organization.write'
  | 'organization.transfer'
  | 'organization.secure'
  | 'organization.delete'
  | 'membership.write'
  | 'members.leave'
  | 'members.write'
  | 'invitations.write'
  | 'apiKeys.read'
  | 'apiKeys.write'
  | 'alerts.write'
  | 'notifications.write'
  | 'webhooks.read'
  | 'webhooks.write'
  | 'badges.write'
  | 'audit.read'
  | 'configuration.read'
  | 'configuration.write'
  | 'billing.write'
  | 'connections.write'
  | 'conversions.write'
  | 'payments.write'
  | 'runs.start'
  | 'apps.write'
  | 'sources.write'
  | 'destinations.write';

const REQUIRED_ROLE: Record<MemberRole, string> = {
  viewer: 'Requires the Viewer role',
  editor: 'Requires the Editor role',
  admin: 'Requires the Admin role',
  owner: 'Requires the Owner role',
};

/**
 * Why a control is disabled for the user, as the text next to it; null when it is enabled. The required role comes from the
 * server. Controls are enabled until the user's permissions are loaded, because the server checks every request. `toDo` names
 * the action where the control does not: `Requires the Admin role to reconnect`.
 */
export function usePermissionGate(permission: Permission, toDo?: string): string | null {
  const { data: organization } = useOrganizationProfile(useOrganizationId());
  const isMissing = organization !== undefined && !organization.permissions.includes(permission);
  const { data: policy } = usePolicy(isMissing && !organization.isVisit);
  if (!isMissing) return null;
  if (organization.isVisit) return 'Support access is read-only';
  const role = policy?.permissions.find(({ name }) => name === permission)?.role;
  return (role ? REQUIRED_ROLE[role] : 'Requires another role') + (toDo === undefined ? '' : ` to ${toDo}`);
}

/** Whether the user has the permission; null while unknown. For requests without a click, which must not fail. */
export function useMay(permission: Permission): boolean | null {
  const { data: organization } = useOrganizationProfile(useOrganizationId());
  return organization ? organization.permissions.includes(permission) : null;
}
