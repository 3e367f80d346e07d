/** Roles from the lowest to the highest. The guards, the web app and the docs use these roles and the policy below. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export const POLICY = {
  'organization.read': 'viewer',
  'organization.write': 'admin',
  'organization.transfer': 'owner',
  'organization.secure': 'owner',
  'organization.delete': 'owner',
  'membership.write': 'viewer',
  'members.read': 'viewer',
  'members.leave': 'viewer',
  'members.write': 'admin',
  'invitations.read': 'viewer',
  'invitations.write': 'admin',
  'apiKeys.read': 'admin',
  'apiKeys.write': 'admin',
  'audit.read': 'admin',
  'configuration.read': 'admin',
  'configuration.write': 'admin',
  'billing.read': 'viewer',
  'billing.write': 'owner',
  'connections.read': 'viewer',
  'connections.write': 'editor',
  'conversions.read': 'viewer',
  'conversions.write': 'editor',
  'payments.read': 'viewer',
  'payments.write': 'editor',
  'runs.read': 'viewer',
  'runs.start': 'editor',
  'sources.read': 'viewer',
  'sources.write': 'editor',
  'destinations.read': 'viewer',
  'destinations.write': 'admin',
  'apps.read': 'viewer',
  'apps.write': 'admin',
  'alerts.read': 'viewer',
  'alerts.write': 'editor',
  'notifications.read': 'viewer',
  'notifications.write': 'admin',
  'webhooks.read': 'admin',
  'webhooks.write': 'admin',
  'badges.read': 'viewer',
  'badges.write': 'admin',
} as const satisfies Record<string, Role>;

export type Permission = keyof typeof POLICY;

/**
 * Rejected for API keys of any role, so that a leaked key cannot change members, or add keys that remain after it is revoked. It can
 * invite people up to `HIGHEST_INVITED_BY_KEY`; those who accept remain.
 */
export const PERSON_ONLY: ReadonlySet<Permission> = new Set<Permission>([
  'organization.transfer',
  'organization.delete',
  'organization.secure',
  'membership.write',
  'members.leave',
  'members.write',
  'apiKeys.write',
]);

/** The highest role that an API key may invite, and whose invitations it may resend or revoke. */
export const HIGHEST_INVITED_BY_KEY: Role = 'editor';

export const isAllowed = (role: Role, permission: Permission): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(POLICY[permission]);

/** All roles, if no role is left. */
export const rolesAbove = (role: Role | null): Role[] => (role === null ? [...ROLES] : ROLES.slice(ROLES.indexOf(role) + 1));

export const isAtMost = (role: Role, highest: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(highest);

/** Platform staff have read access to organizations where they are not members. */
export const isAllowedOnVisit = (permission: Permission): boolean => permission.endsWith('.read');

export const permissionsOf = (role: Role, isVisit: boolean, isKey: boolean): Permission[] =>
  (Object.keys(POLICY) as Permission[]).filter((permission) =>
    isVisit ? isAllowedOnVisit(permission) : isAllowed(role, permission) && !(isKey && PERSON_ONLY.has(permission)),
  );
