import type { UserState } from './user-state';

const UNKNOWN = 'This organization does not exist, or you are not a member of it.';

type Known = Pick<UserState, 'organizations' | 'orgId' | 'organization' | 'super_admin'>;

/** The name of an organization of which this browser knows that the user is or was a member. Staff also open those of others. */
function knownName(organizationId: string, user: Known | null): string | null {
  if (user === null) return null;
  const entry = user.organizations?.find((one) => one.organizationId === organizationId);
  if (entry) return entry.role === null ? null : entry.companyName;
  return user.orgId === organizationId && !user.super_admin ? (user.organization?.name ?? null) : null;
}

/** Why an organization cannot be opened. The server does not tell a removal from a deletion. */
export function describeMissing(organizationId: string, user: Known | null): string {
  const name = knownName(organizationId, user);
  return name === null ? UNKNOWN : `You are no longer a member of ${name}, or it was deleted.`;
}
