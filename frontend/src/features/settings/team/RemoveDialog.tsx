import type { Member } from '~/api/types';
import { useOrganization } from '~/session/organization-context';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { toast } from '~/components/feedback/toast';
import { nameOf, useTeamActions } from './use-team-actions';

export function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { id, document } = useOrganization();
  const { remove } = useTeamActions(id);
  const name = nameOf(member);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove ${name}?`}
      stops={[
        `Their access to ${document?.company_name ?? 'the organization'}, immediately`,
        'API keys they created, pending invitations and links they sent',
      ]}
      stays={['Connections, sources and apps they created, which continue to run', 'Their account and their other organizations']}
      note={`To add them again, invite ${member.email}.`}
      confirmLabel="Remove member"
      onConfirm={async () => {
        await remove(member);
        toast.done(`${name} removed`);
        onClose();
      }}
    />
  );
}
