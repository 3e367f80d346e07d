import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { deleteDestination } from '../../api/destinations';
import { keysOf } from '../../api/keys';
import type { Destination } from '../../api/types';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useOrganizationId } from '../../session/organization-context';
import { usePermissionGate } from '../../session/permissions';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { GatedButton } from '../../ui/GatedButton';
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

/** Deleting, while nothing writes to it. */
export function DestinationActions({ destination }: { destination: Destination }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const closedBecause = usePermissionGate('destinations.write', 'delete');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GatedButton
        align="end"
        variant="default"
        closedBecause={closedBecause}
        waitsFor={destination.usedBy > 0 ? `Used by ${plural(destination.usedBy, 'connection')}` : null}
        onClick={() => setOpen(true)}
      >
        Delete
      </GatedButton>
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
