import type { Role } from '~/domain/connections/connection-state';

/** Lowest first. */
export const ROLES: readonly Role[] = ['viewer', 'editor', 'admin', 'owner'];

export const roleWords: Record<Role, string> = { viewer: 'Viewer', editor: 'Editor', admin: 'Admin', owner: 'Owner' };

/** What each role can do; shown under the choice. */
export const roleMeaning: Record<Role, string> = {
  viewer: 'Viewers can see all data and settings except API keys, webhooks and the audit log. They can change nothing.',
  editor:
    'Editors can create and run connections, conversions and payments. Only admins can manage apps, destinations, members, keys and settings.',
  admin: 'Admins can also manage apps, destinations, members, keys and settings. Only owners can delete the organization.',
  owner: 'Owners can do everything, including delete the organization.',
};

export const isAtMost = (role: Role, highest: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(highest);

/** The roles that a user can assign: none above their own. */
export const rolesUpTo = (highest: Role): Role[] => ROLES.filter((role) => isAtMost(role, highest));

export const roleOptions = (roles: readonly Role[]): { value: Role; label: string }[] =>
  roles.map((role) => ({ value: role, label: roleWords[role] }));

export const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value);
