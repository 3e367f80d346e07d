import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { MemberRole } from './types';

/** All members in one response: the call of the specification, with its fixed texts. */
const getTeamMembers = (organizationId: string) => unwrap(client.POST('/api/getTeamMembers', { body: { organizationId } }));

export const updateMember = (organizationId: string, userId: string, role: MemberRole) =>
  unwrap(
    client.PATCH('/api/v1/organizations/{organizationId}/members/{userId}', {
      params: { path: { organizationId, userId } },
      body: { role },
    }),
  );

export const removeMember = (organizationId: string, memberId: string) =>
  unwrap(client.POST('/api/removeMemberFromOrganization', { body: { organizationId, memberId } }));

export const leaveOrganization = (organizationId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/members/leave', { params: { path: { organizationId } } }));

export const useMembers = (organizationId: string) => useSWR(keys.members(organizationId), () => getTeamMembers(organizationId));
