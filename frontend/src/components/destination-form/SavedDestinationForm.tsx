import { useSWRConfig } from 'swr';
import { useOptimisticLock } from '~/lib/use-optimistic-lock';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { FieldProblems } from '~/ui/feedback/FieldProblems';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { toast } from '~/components/feedback/toast';
import { forgetEstimates } from '~/api/connections/estimates';
import { checkDestination, updateDestination } from '~/api/destinations';
import { keysOf } from '~/api/http/keys';
import { isConflict } from '~/api/http/problem';
import type { Destination } from '~/api/types';
import { DestinationForm } from './DestinationForm';
import type { DestinationFormInput } from './form-values';

interface SavedDestinationFormProps {
  organizationId: string;
  destination: Destination;
  disabledReason: string | null;
  /** The error that the page shows above the form. Its step and its field do not repeat it. */
  shownAbove?: string;
}

/** The form of a saved destination, with its last check. A new check keeps the input. */
export function SavedDestinationForm({ organizationId, destination, disabledReason, shownAbove }: SavedDestinationFormProps) {
  const { mutate } = useSWRConfig();
  const lock = useOptimisticLock(destination);
  const refresh = async () => {
    await forgetEstimates(mutate, organizationId);
    await mutate(keysOf(organizationId, 'destination', 'destinations', 'apps', 'app'));
  };
  const submit = async ({ name, settings, credentials }: DestinationFormInput) => {
    try {
      await lock.save((version) => updateDestination(organizationId, destination.id, { name, settings, credentials, version }));
    } catch (error) {
      if (isConflict(error)) await refresh();
      throw error;
    }
    await refresh();
    toast.done('Destination saved');
  };
  return (
    <DestinationForm
      key={`${destination.id} ${lock.startVersion}`}
      organizationId={organizationId}
      provider={destination.provider}
      saved={lock.base}
      disabledReason={disabledReason}
      lastItems={destination.lastCheck?.items ?? null}
      shownAbove={shownAbove}
      onCheckSaved={async () => {
        await checkDestination(organizationId, destination.id);
        await refresh();
      }}
      onTyped={lock.startEditing}
      conflict={
        lock.isConflict && <ConflictNotice what="this destination" onTakeTheirs={lock.takeTheirs} onKeepMine={lock.keepMine} />
      }
      onSubmit={submit}
      footer={({ testButton, submit: save, running, isDirty, problems }) => (
        <>
          {testButton}
          <GatedButton
            disabledReason={disabledReason}
            waitsFor={lock.isConflict ? 'Choose a version above first' : isDirty ? null : 'No changes'}
            loading={running === 'save'}
            isDisabled={running === 'test'}
            onClick={save}
          >
            Save destination
          </GatedButton>
          <FieldProblems problems={problems} />
        </>
      )}
    />
  );
}
