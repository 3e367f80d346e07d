import { useState } from 'react';
import type { Destination } from '~/api/types';
import { plural } from '~/lib/numbers';
import { usePermissionGate } from '~/session/permissions';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { DeleteDestinationDialog } from './DeleteDestinationDialog';

/** Delete button, disabled while connections use the destination. */
export function DestinationActions({ destination }: { destination: Destination }) {
  const disabledReason = usePermissionGate('destinations.write', 'delete');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GatedButton
        align="end"
        variant="default"
        disabledReason={disabledReason}
        waitsFor={destination.usedBy > 0 ? `Used by ${plural(destination.usedBy, 'connection')}` : null}
        onClick={() => setOpen(true)}
      >
        Delete
      </GatedButton>
      {isOpen && <DeleteDestinationDialog destination={destination} onClose={() => setOpen(false)} />}
    </>
  );
}
