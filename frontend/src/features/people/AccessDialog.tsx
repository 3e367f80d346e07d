import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { disablePerson, enablePerson } from '~/api/people';
import type { PersonEntry } from '~/api/types';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { toast } from '~/components/feedback/toast';

const MAX_NOTE = 500;

interface AccessDialogProps {
  person: PersonEntry;
  onClose: () => void;
  onChanged: () => Promise<unknown>;
}

const disabling = {
  verb: 'Disable',
  change: disablePerson,
  done: 'disabled',
  stops: ['Their sign-in, immediately', 'Their API keys, pending invitations and links to reconnect, permanently'],
  stays: ['Their organizations with all connections', 'Their account at the identity provider'],
  note: 'You can enable them again at any time. Revoked keys, invitations and links are not restored.',
};
const enabling = {
  verb: 'Enable',
  change: enablePerson,
  done: 'enabled',
  stops: [],
  stays: [],
  note: 'They can sign in again. Revoked API keys, invitations and links are not restored. An account that is disabled at the identity provider is disabled again at its next request.',
};

/** Requires a reason, which is stored in the audit log. */
export function AccessDialog({ person, onClose, onChanged }: AccessDialogProps) {
  const [reason, setReason] = useState('');
  const { verb, change, done, stops, stays, note } = person.disabledAt === null ? disabling : enabling;
  const confirm = async () => {
    await change(person.uid, reason.trim());
    await onChanged();
    onClose();
    toast.done(`${person.email} ${done}`);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`${verb} ${person.email}?`}
      stops={stops}
      stays={stays}
      note={note}
      confirmLabel={`${verb} person`}
      isDangerous={person.disabledAt === null}
      onConfirm={confirm}
      isReady={reason.trim() !== ''}
    >
      <TextInput
        label="Reason"
        description="Stored in the audit log"
        value={reason}
        maxLength={MAX_NOTE}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
