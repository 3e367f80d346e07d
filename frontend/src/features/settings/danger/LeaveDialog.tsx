import { useNavigate } from 'react-router-dom';
import { leaveOrganization } from '~/api/members';
import { paths } from '~/domain/navigation/paths';
import { useOrganization } from '~/session/organization-context';
import { useSession } from '~/session/session-context';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { toast } from '~/components/feedback/toast';

export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { id, document } = useOrganization();
  const { refreshOrganizations } = useSession();
  const navigate = useNavigate();
  const name = document?.company_name ?? 'this organization';
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Leave ${name}?`}
      stops={[`Your access to ${name}, immediately`, 'API keys you created, pending invitations and links you sent']}
      stays={['Connections, sources and apps you created, which continue to run', 'Your account and your other organizations']}
      note="You need a new invitation to rejoin."
      confirmLabel="Leave organization"
      onConfirm={async () => {
        await leaveOrganization(id);
        // The user has left. A failure to refresh the list must not be reported as a failure to leave.
        await refreshOrganizations().catch(() => undefined);
        toast.done(`You left ${name}`);
        onClose();
        void navigate(paths.home());
      }}
    />
  );
}
