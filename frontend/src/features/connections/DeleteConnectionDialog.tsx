import { plural } from '~/lib/numbers';
import { describeSchedule } from '~/domain/connections/schedule';
import type { Connection } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { useOrganizationId } from '~/session/organization-context';
import { DeleteDialog } from '~/components/feedback/DeleteDialog';
import { providerName } from '~/components/status/ProviderMark';

interface DeleteConnectionDialogProps {
  connection: Connection;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteConnectionDialog({ connection, onClose, onDeleted }: DeleteConnectionDialogProps) {
  const { remove, restore } = useConnectionActions(useOrganizationId());
  const { name, source, destination, schedule } = connection;
  const tables = connection.streams.filter((stream) => stream.isSelected).length;
  return (
    <DeleteDialog
      name={name}
      kind="connection"
      onClose={onClose}
      stops={[
        `${describeSchedule(schedule)} runs from ${plural(source.accounts.length, `${providerName(source.provider)} account`)}`,
        ...(connection.activeRun ? ['The active run'] : []),
      ]}
      stays={[
        <>
          All rows in {providerName(destination.provider)}, in {plural(tables, 'table')} of <code>{destination.target}</code>
        </>,
        `The source ${source.name} and the ${providerName(source.provider)} sign-in`,
        `The destination ${destination.name}`,
      ]}
      onDelete={() => remove(connection.id)}
      onDeleted={() => {
        onClose();
        onDeleted?.();
      }}
      onRestore={() => restore(connection.id)}
      restoredMessage={`${name} restored, missed days will load`}
    />
  );
}
