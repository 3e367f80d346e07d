/** Who may do what: one table, from the least role up. Guards, the web app's disabled buttons and the docs all read it. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export const POLICY = {
  'organization.read': 'viewer',
  'connections.read': 'viewer',
  'connections.write': 'editor',
  'runs.read': 'viewer',
  'runs.start': 'editor',
  'sources.read': 'viewer',
  'sources.write': 'editor',
  'destinations.read': 'viewer',
  'destinations.write': 'admin',
  'apps.read': 'viewer',
  'apps.write': 'admin',
} as const satisfies Record<string, Role>;

export type Permission = keyof typeof POLICY;

export const isAllowed = (role: Role, permission: Permission): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(POLICY[permission]);
