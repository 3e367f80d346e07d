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
        'You are no longer an owner: you stay as an admin',
        'You can no longer delete or transfer the organization',
        'Open invitations you sent to new owners',
      ]}
      stays={['Members, connections and keys, as they are', 'Other owners, if there are any']}
      note={`Only an owner can make you one again. ${name} gets a mail.`}
      confirmLabel="Transfer ownership"
      onConfirm={async () => {
        await transfer(member);
        toast.done(`${name} owns ${organization}`);
        onClose();
      }}
    />
  );
}
