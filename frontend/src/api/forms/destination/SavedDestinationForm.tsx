import { Button } from '@mantine/core';
import { useSWRConfig } from 'swr';
import { toast } from '../../../ui/toast';
import { updateDestination } from '../../destinations';
import { keysOf } from '../../keys';
import type { Destination } from '../../types';
import { DestinationForm } from './DestinationForm';

interface SavedDestinationFormProps {
  organizationId: string;
  destination: Destination;
  closedBecause: string | null;
}

/** The form of a destination that is there already, with its last check. */
export function SavedDestinationForm({ organizationId, destination, closedBecause }: SavedDestinationFormProps) {
  const { mutate } = useSWRConfig();
  return (
    <DestinationForm
      key={`${destination.version}-${destination.lastCheck?.at}`}
      organizationId={organizationId}
      provider={destination.provider}
      saved={destination}
      onSubmit={async ({ name, settings, credentials }) => {
        await updateDestination(organizationId, destination.id, { name, settings, credentials, version: destination.version });
        await mutate(keysOf(organizationId, 'destination', 'destinations', 'apps', 'app'));
        toast.done('Destination saved');
      }}
      footer={(submit, isDirty) => (
        <Button mt={20} disabled={closedBecause !== null || !isDirty} onClick={submit}>
          Save destination
        </Button>
      )}
    />
  );
}
