import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import { deleteOrganization, restoreOrganization, useOrganizationProfile } from '~/api/organization';
import { addDays, formatNearDay, localDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganization } from '~/session/organization-context';
import { useSession } from '~/session/session-context';
import { DeleteDialog } from '~/components/feedback/DeleteDialog';

/** Period in which owners can restore the organization. Must match the server. */
const RESTORABLE_DAYS = 30;

/** Deletes and restores the organization and updates the list of organizations. */
function useDeletion(organizationId: string) {
  const { mutate } = useSWRConfig();
  const { refreshOrganizations } = useSession();
  return {
    remove: async (typedName: string) => {
      await deleteOrganization(organizationId, typedName);
      // The deletion has succeeded. A failure to refresh the list must not be reported as a failure to delete.
      await refreshOrganizations().catch(() => undefined);
      void mutate(keys.deletedOrganizations());
    },
    restore: async () => {
      await restoreOrganization(organizationId);
      // Without what is known of it: a guard that reads that it is missing would leave its pages again.
      await mutate(keys.document(organizationId), undefined);
      await refreshOrganizations();
    },
  };
}

export function DeleteOrganizationDialog({ onClose }: { onClose: () => void }) {
  const { id: organizationId, document } = useOrganization();
  const isBilled = document?.subscription?.isBilled === true;
  const { data: organization } = useOrganizationProfile(organizationId);
  const name = organization?.name ?? '';
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const { remove, restore } = useDeletion(organizationId);
  const lastDay = formatNearDay(addDays(localDay(new Date()), RESTORABLE_DAYS), new Date());
  return (
    <DeleteDialog
      name={name}
      kind="organization"
      onClose={onClose}
      stops={[
        organization?.connectionsCount ? `Runs of ${plural(organization.connectionsCount, 'connection')}` : 'All runs',
        'Access of all members and all API keys',
        'Pending invitations',
        ...(isBilled ? ['The subscription, at the end of the paid period; immediately if a payment is overdue'] : []),
      ]}
      stays={['All rows loaded into your destinations', 'The accounts of its members']}
      note={
        <>
          You can restore it until <strong>{lastDay}</strong>. After that, its settings and history are deleted.
          {isBilled && ' A restore also continues the subscription, unless it has ended.'}
        </>
      }
      isReady={name !== '' && typed === name}
      onDelete={() => remove(typed)}
      onDeleted={() => {
        void navigate(paths.home());
        onClose();
      }}
      onRestore={async () => {
        await restore();
        void navigate(paths.connections(organizationId));
      }}
      restoredMessage={null}
    >
      <TextInput
        label={`Type ${name} to confirm`}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </DeleteDialog>
  );
}
