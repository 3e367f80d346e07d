import type { Member, MemberRole } from '~/api/types';
import { isAtMost, rolesUpTo } from '~/domain/accounts/roles';

export interface TeamFacts {
  ownRole: MemberRole;
  /** Owners who can sign in. */
  ownersCount: number;
  /** Why the user cannot change members, or null. */
  disabledReason: string | null;
}

type Person = Pick<Member, 'role' | 'isYou' | 'isDisabled'>;

export const countOwners = (members: Pick<Member, 'role' | 'isDisabled'>[]): number =>
  members.filter(({ role, isDisabled }) => role === 'owner' && !isDisabled).length;

const isLastOwner = ({ role, isDisabled }: Person, { ownersCount }: TeamFacts): boolean =>
  role === 'owner' && !isDisabled && ownersCount < 2;

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

/** Why the organization cannot be transferred to the member, or null. */
export const whyNotTransfer = ({ isDisabled }: Person, closedReason: string | null): string | null =>
  closedReason ?? (isDisabled ? 'The account is disabled' : null);

export const whyNotLeave = (member: Person, facts: TeamFacts): string | null =>
  isLastOwner(member, facts) ? 'Last owner: make someone else an owner first' : null;

/** Roles the user can assign, up to their own role. */
export const offeredRoles = ({ ownRole }: TeamFacts): MemberRole[] => rolesUpTo(ownRole);

/** A lower role ends API keys, invitations and links above it permanently. */
export const lowersRole = ({ role }: Pick<Member, 'role'>, chosen: MemberRole): boolean =>
  chosen !== role && isAtMost(chosen, role);
