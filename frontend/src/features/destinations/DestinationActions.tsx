import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { checkDestination, deleteDestination } from '../../api/destinations';
import { keysOf } from '../../api/keys';
import type { Destination } from '../../api/types';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useOrganizationId, useRoleGate } from '../../session/organization-context';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { icon } from '../../ui/icon';
import { toast } from '../../ui/toast';

const secretWords: Record<Destination['authMode'], string> = {
  password: 'its password is erased',
  service_account: 'its key is erased unless another destination uses it',
  oauth2: 'its sign-in stays with the app',
};

const staysWords: Record<Destination['provider'], string> = {
  postgresql: 'Every table and row in the database',
  bigquery: 'Every table and row in the dataset',
  mixpanel: 'Every event in the project',
};

/** Checking now, and deleting while nothing writes to it. */
export function DestinationActions({ destination }: { destination: Destination }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const closedBecause = useRoleGate('manageApps');
  const [isOpen, setOpen] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const reason = closedBecause ?? (destination.usedBy > 0 ? `Used by ${plural(destination.usedBy, 'connection')}` : null);
  const check = async () => {
    setChecking(true);
    await checkDestination(organizationId, destination.id).catch(toast.failed);
    await mutate(keysOf(organizationId, 'destination', 'destinations'));
    setChecking(false);
  };
  return (
    <>
      {reason && <span className="label">{reason}</span>}
      <Button
        variant="default"
        leftSection={<IconPlugConnected {...icon} />}
        loading={isChecking}
        disabled={closedBecause !== null}
        onClick={() => void check()}
      >
        Check now
      </Button>
      <Button variant="default" disabled={reason !== null} onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Delete ${destination.name}?`}
        stops={[`Loading into it; ${secretWords[destination.authMode]}`]}
        stays={[staysWords[destination.provider]]}
        confirmLabel="Delete destination"
        onConfirm={async () => {
          await deleteDestination(organizationId, destination.id);
          await mutate(keysOf(organizationId, 'destinations', 'apps'));
          toast.done(`${destination.name} deleted`);
          void navigate(paths.destinations(organizationId));
        }}
      />
    </>
  );
}
