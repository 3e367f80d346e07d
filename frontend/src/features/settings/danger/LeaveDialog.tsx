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
      stops={[`Your access to ${name}, at once`, 'API keys you made, open invitations and links you sent']}
      stays={['Connections, sources and apps you set up, which go on running', 'Your account and your other organizations']}
      note="To come back you need a new invitation."
      confirmLabel="Leave organization"
      onConfirm={async () => {
        await leaveOrganization(id);
        // Has happened: a list that cannot be fetched right now must not look like a failure to leave.
        await refreshOrganizations().catch(() => undefined);
        toast.done(`You left ${name}`);
        onClose();
        void navigate(paths.home());
      }}
    />
  );
}
