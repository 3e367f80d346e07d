import type { Member, MemberRole } from '~/api/types';
import { roleWords } from '~/domain/accounts/roles';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { nameOf } from './use-team-actions';

interface LowerRoleDialogProps {
  member: Member;
  to: MemberRole;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before a role is lowered, because the access above the new role cannot be restored. */
export function LowerRoleDialog({ member, to, onConfirm, onClose }: LowerRoleDialogProps) {
  const { role, isYou } = member;
  const whose = isYou ? 'Your' : 'Their';
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={isYou ? `Change your role to ${roleWords[to]}?` : `Change the role of ${nameOf(member)} to ${roleWords[to]}?`}
      stops={[
        `${whose} permissions as ${roleWords[role]}, immediately`,
        `${whose} API keys, invitations and links to reconnect that are above the new role, permanently`,
      ]}
      stays={[`Connections, sources and apps ${isYou ? 'you' : 'they'} created`]}
      note={
        isYou
          ? `You cannot undo this. Only another ${role === 'owner' ? 'owner' : 'admin or owner'} can give you the role again.`
          : 'You can give them the role again. Revoked keys, invitations and links are not restored.'
      }
      confirmLabel="Change role"
      onConfirm={async () => {
        await onConfirm();
        onClose();
      }}
    />
  );
}
