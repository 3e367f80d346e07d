import type { MemberRole } from '~/api/types';
import { roleWords } from '~/domain/accounts/roles';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';

interface LowerRoleDialogProps {
  from: MemberRole;
  to: MemberRole;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before users lower their own role. */
export const LowerRoleDialog = ({ from, to, onConfirm, onClose }: LowerRoleDialogProps) => (
  <ConfirmDialog
    isOpen
    onClose={onClose}
    title={`Change your role to ${roleWords[to]}?`}
    stops={[`Your permissions as ${roleWords[from]}, immediately`]}
    stays={['Connections, sources and apps you created']}
    note={`You cannot undo this. Only another ${from === 'owner' ? 'owner' : 'admin or owner'} can give you the role again.`}
    confirmLabel="Change role"
    onConfirm={async () => {
      await onConfirm();
      onClose();
    }}
  />
);
