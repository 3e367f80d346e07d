import { useMemo } from 'react';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import { removeMember, updateMember } from '~/api/members';
import { transferOrganization } from '~/api/organization';
import type { Member, MemberRole } from '~/api/types';

export const nameOf = ({ fullName, email }: Pick<Member, 'fullName' | 'email'>): string => fullName.trim() || email;

/** Actions on members. Each refreshes the list and, if needed, the user's own permissions. */
export function useTeamActions(organizationId: string) {
  const { mutate } = useSWRConfig();
  return useMemo(() => {
    const refreshOwnRole = async (): Promise<void> => {
      await mutate(keys.profile(organizationId));
      await mutate(keys.document(organizationId));
    };
    const thenRefresh = async (change: Promise<unknown>, affectsOwnRole: boolean): Promise<void> => {
      try {
        await change;
      } finally {
        await mutate(keys.members(organizationId));
        if (affectsOwnRole) await refreshOwnRole();
      }
    };
    return {
      changeRole: (member: Member, role: MemberRole) =>
        thenRefresh(updateMember(organizationId, member.userId, role), member.isYou),
      remove: (member: Member) => thenRefresh(removeMember(organizationId, member.userId), false),
      transfer: (member: Member) => thenRefresh(transferOrganization(organizationId, member.userId), true),
    };
  }, [organizationId, mutate]);
}
