import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion } from '~/api/types';
import { DeleteDialog } from '~/components/feedback/DeleteDialog';
import { providerName } from '~/components/status/ProviderMark';
import { describeSchedule } from '~/domain/connections/schedule';
import { plural } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';

interface DeleteConversionDialogProps {
  conversion: Conversion;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteConversionDialog({ conversion, onClose, onDeleted }: DeleteConversionDialogProps) {
  const { remove, restore } = useConversionActions(useOrganizationId());
  const { name, source, target, schedule, lastWeek } = conversion;
  return (
    <DeleteDialog
      name={name}
      kind="conversion"
      onClose={onClose}
      stops={[
        `${describeSchedule(schedule)} runs from ${source.name}`,
        ...(lastWeek.waiting > 0 ? [`${plural(lastWeek.waiting, 'event')} that wait`] : []),
      ]}
      stays={[
        `All events that ${providerName(target.provider)} took, in ${target.name}`,
        `The source ${source.name} and the ${providerName(target.provider)} sign-in`,
      ]}
      onDelete={() => remove(conversion.id)}
      onDeleted={() => {
        onClose();
        onDeleted?.();
      }}
      onRestore={() => restore(conversion.id)}
      restoredMessage={`${name} restored. Missed events that are not too old are sent`}
    />
  );
}
