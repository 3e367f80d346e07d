import useSWR from 'swr';
import { allPages, PAGE_SIZE } from './http/all-pages';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { MemberRole } from './types';

const at = (organizationId: string, invitationId: string) => ({ params: { path: { organizationId, invitationId } } });

export interface NewInvitation {
  email: string;
  role: MemberRole;
}

/** The call of the specification. The inviter is the signed-in user, so no uid or email is sent. */
export const sendInvitation = (organizationId: string, { email, role }: NewInvitation) =>
  unwrap(client.POST('/api/sendInvitation', { body: { email, role, organization_id: organizationId } }));

export const resendInvitation = (organizationId: string, invitationId: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/invitations/{invitationId}/resend', at(organizationId, invitationId)),
  );

export const revokeInvitation = (organizationId: string, invitationId: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/invitations/{invitationId}/revoke', at(organizationId, invitationId)),
  );

export const acceptInvitation = (invitationId: string, userId: string, token?: string) =>
  unwrap(client.POST('/api/acceptInvitation', { body: { invitationId, userId, token } }));

export const rejectInvitation = (invitationId: string, token?: string) =>
  unwrap(client.POST('/api/rejectInvitation', { body: { invitationId, token } }));

/** Sent invitations in all states, newest first. */
export const useSentInvitations = (organizationId: string) =>
  useSWR(keys.sentInvitations(organizationId), () =>
    allPages((cursor) =>
      unwrap(
        client.GET('/api/v1/organizations/{organizationId}/invitations', {
          params: { path: { organizationId }, query: { limit: PAGE_SIZE, cursor } },
        }),
      ),
    ),
  );

/** Open invitations of the signed-in user. */
export const usePendingInvitations = (email: string) =>
  useSWR(keys.pendingInvitations(email), () => unwrap(client.POST('/api/getPendingInvitation', { body: { email } })));

/** The preview for a person with the link. It depends on the signed-in user, so it is requested again for another user. */
export const useInvitation = (invitationId: string | null, token: string | undefined, userId: string | null) =>
  useSWR(
    invitationId === null ? null : keys.invitation(invitationId, userId),
    () =>
      unwrap(
        client.GET('/api/v1/invitations/{invitationId}', {
          params: { path: { invitationId: invitationId ?? '' }, query: token ? { token } : {} },
        }),
      ),
    { revalidateOnFocus: false },
  );
