import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import { deleteOrganization, restoreOrganization, useOrganizationProfile } from '~/api/organization';
import { addDays, formatNearDay, localDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { useSession } from '~/session/session-context';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { toast } from '~/components/feedback/toast';

/** Period in which owners can restore the organization. Must match the server. */
const RESTORABLE_DAYS = 30;

/** Deletes the organization, leaves its pages and offers an undo. */
function useDeletion(organizationId: string, name: string) {
  const { mutate } = useSWRConfig();
  const { refreshOrganizations } = useSession();
  const navigate = useNavigate();
  const restore = async () => {
    await restoreOrganization(organizationId);
    await mutate(keys.document(organizationId));
    await refreshOrganizations();
    void navigate(paths.connections(organizationId));
  };
  return async (typedName: string) => {
    await deleteOrganization(organizationId, typedName);
    // The deletion has succeeded. A failure to refresh the list must not be reported as a failure to delete.
    await refreshOrganizations().catch(() => undefined);
    void mutate(keys.deletedOrganizations());
    toast.done(`${name} deleted`, { label: 'Undo', onClick: () => void restore().catch(toast.failed) });
    void navigate(paths.home());
  };
}

export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const organizationId = useOrganizationId();
  const { data: organization } = useOrganizationProfile(organizationId);
  const name = organization?.name ?? '';
  const [typed, setTyped] = useState('');
  const remove = useDeletion(organizationId, name);
  const lastDay = formatNearDay(addDays(localDay(new Date()), RESTORABLE_DAYS), new Date());
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}?`}
      stops={[
        organization?.connectionsCount ? `Runs of ${plural(organization.connectionsCount, 'connection')}` : 'All runs',
        'Access of all members and all API keys',
        'Pending invitations',
      ]}
      stays={['All rows loaded into your destinations', 'The accounts of its members']}
      note={
        <>
          You can restore it until <strong>{lastDay}</strong>. After that, its settings and history are deleted.
        </>
      }
      confirmLabel="Delete organization"
      isReady={name !== '' && typed === name}
      onConfirm={async () => {
        await remove(typed);
        onClose();
      }}
    >
      <TextInput
        label={`Type ${name} to confirm`}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
