import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { acceptInvitation, rejectInvitation } from '~/api/invitations';
import { keys } from '~/api/http/keys';
import { paths } from '~/domain/navigation/paths';
import { toast } from '~/components/feedback/toast';
import { clearPendingInvitation, readPendingInvitation } from '~/session/pending-invitation';
import { useSession, useUser } from '~/session/session-context';

interface Invitation {
  id: string;
  organizationId: string;
  organizationName: string;
}

const forget = (id: string): void => {
  if (readPendingInvitation()?.invitationId === id) clearPendingInvitation();
};

/** Accepts or rejects an invitation. Used on all pages that show invitations. */
export function useInvitationAnswers() {
  const { refreshOrganizations } = useSession();
  const { id, email } = useUser();
  const { mutate } = useSWRConfig();
  const navigate = useNavigate();
  return useMemo(
    () => ({
      /** Joins and opens the organization. */
      accept: async (invitation: Invitation, token?: string): Promise<void> => {
        const { organizationId } = await acceptInvitation(invitation.id, id, token);
        forget(invitation.id);
        // Without what is known of it: a guard that reads that it is missing would leave its pages again.
        await mutate(keys.document(organizationId), undefined);
        // The invitation is accepted. If this fails, the pages of the organization load the list again.
        await refreshOrganizations().catch(() => undefined);
        void mutate(keys.pendingInvitations(email));
        toast.done(`You joined ${invitation.organizationName}`);
        void navigate(paths.connections(organizationId));
      },
      reject: async (invitation: Invitation, token?: string): Promise<void> => {
        await rejectInvitation(invitation.id, token);
        forget(invitation.id);
        void mutate(keys.pendingInvitations(email));
        toast.done(`Invitation to ${invitation.organizationName} declined`);
      },
      forget: clearPendingInvitation,
    }),
    [id, email, mutate, navigate, refreshOrganizations],
  );
}
