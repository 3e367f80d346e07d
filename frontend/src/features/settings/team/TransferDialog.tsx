import type { Member } from '~/api/types';
import { useOrganization } from '~/session/organization-context';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { toast } from '~/components/feedback/toast';
import { nameOf, useTeamActions } from './use-team-actions';

export function TransferDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { id, document } = useOrganization();
  const { transfer } = useTeamActions(id);
  const name = nameOf(member);
  const organization = document?.company_name ?? 'this organization';
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Transfer ${organization} to ${name}?`}
      stops={[
        'Your Owner role: you become an admin',
        'Your permission to delete or transfer the organization',
        'Pending invitations you sent to new owners',
      ]}
      stays={['Members, connections and keys', 'Other owners, if any']}
      note={`Only an owner can give you the role again. ${name} is notified by email.`}
      confirmLabel="Transfer ownership"
      onConfirm={async () => {
        await transfer(member);
        toast.done(`${name} is now the owner of ${organization}`);
        onClose();
      }}
    />
  );
}
