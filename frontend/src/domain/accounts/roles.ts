import type { Role } from '~/domain/connections/connection-state';

/** From the least up. */
export const ROLES: readonly Role[] = ['viewer', 'editor', 'admin', 'owner'];

export const roleWords: Record<Role, string> = { viewer: 'Viewer', editor: 'Editor', admin: 'Admin', owner: 'Owner' };

/** What each role may do, in a line under the choice. */
export const roleMeaning: Record<Role, string> = {
  viewer: 'Viewers see everything and change nothing.',
  editor: 'Editors create and run connections. Apps, members and keys need an admin.',
  admin: 'Admins also manage apps, destinations, members and keys. Deleting the organization needs an owner.',
  owner: 'Owners may do everything, also delete the organization.',
};

export const isAtMost = (role: Role, highest: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(highest);

/** Roles somebody may give: none above their own. */
export const rolesUpTo = (highest: Role): Role[] => ROLES.filter((role) => isAtMost(role, highest));

export const roleOptions = (roles: readonly Role[]): { value: Role; label: string }[] =>
  roles.map((role) => ({ value: role, label: roleWords[role] }));

export const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value);
