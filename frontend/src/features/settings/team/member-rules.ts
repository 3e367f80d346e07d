import type { Member, MemberRole } from '~/api/types';
import { isAtMost, rolesUpTo } from '~/domain/accounts/roles';

export interface TeamFacts {
  ownRole: MemberRole;
  ownersCount: number;
  /** Why the user cannot change members, or null. */
  disabledReason: string | null;
}

type Person = Pick<Member, 'role' | 'isYou'>;

const isLastOwner = (member: Person, { ownersCount }: TeamFacts): boolean => member.role === 'owner' && ownersCount < 2;

/** Why the user cannot change the role, or null. */
export function whyRoleFixed(member: Person, facts: TeamFacts): string | null {
  if (isLastOwner(member, facts)) return 'Last owner: make someone else an owner first';
  if (facts.disabledReason !== null) return facts.disabledReason;
  return isAtMost(member.role, facts.ownRole) ? null : 'Only owners can change an owner';
}

/** Why a member cannot be removed, or null. */
export function whyNotRemove(member: Person, facts: TeamFacts): string | null {
  if (isLastOwner(member, facts)) return 'The last owner cannot be removed';
  if (facts.disabledReason !== null) return facts.disabledReason;
  return isAtMost(member.role, facts.ownRole) ? null : 'Only owners can remove an owner';
}

export const whyNotLeave = (member: Person, facts: TeamFacts): string | null =>
  isLastOwner(member, facts) ? 'Last owner: make someone else an owner first' : null;

/** Roles the user can assign, up to their own role. */
export const offeredRoles = ({ ownRole }: TeamFacts): MemberRole[] => rolesUpTo(ownRole);
