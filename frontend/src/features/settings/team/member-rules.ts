import type { Member, MemberRole } from '~/api/types';
import { isAtMost, rolesUpTo } from '~/domain/accounts/roles';

export interface TeamFacts {
  ownRole: MemberRole;
  ownersCount: number;
  /** Why the reader may not change members at all; null when they may. */
  disabledReason: string | null;
}

type Person = Pick<Member, 'role' | 'isYou'>;

const isOnlyOwner = (member: Person, { ownersCount }: TeamFacts): boolean => member.role === 'owner' && ownersCount < 2;

/** Why a role stands as it is; null when the reader may change it. */
export function whyRoleFixed(member: Person, facts: TeamFacts): string | null {
  if (isOnlyOwner(member, facts)) return 'The only owner: name another first';
  if (facts.disabledReason !== null) return facts.disabledReason;
  return isAtMost(member.role, facts.ownRole) ? null : 'Only an owner changes an owner';
}

/** Why somebody cannot be removed; null when they can. */
export function whyNotRemove(member: Person, facts: TeamFacts): string | null {
  if (isOnlyOwner(member, facts)) return 'An organization always has an owner';
  if (facts.disabledReason !== null) return facts.disabledReason;
  return isAtMost(member.role, facts.ownRole) ? null : 'Only an owner removes an owner';
}

export const whyNotLeave = (member: Person, facts: TeamFacts): string | null =>
  isOnlyOwner(member, facts) ? 'You are the only owner: name another first' : null;

/** Roles the reader may give: none above their own. */
export const offeredRoles = ({ ownRole }: TeamFacts): MemberRole[] => rolesUpTo(ownRole);
