import { plural } from '~/lib/numbers';
import { restorableNote } from '~/domain/time/restorable';
import { describeSchedule } from '~/domain/connections/schedule';
import type { Connection } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { useOrganizationId } from '~/session/organization-context';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { providerName } from '~/components/status/ProviderMark';
import { toast } from '~/components/feedback/toast';

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
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}?`}
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
      note={restorableNote(new Date())}
      confirmLabel="Delete connection"
      onConfirm={async () => {
        await remove(connection.id);
        const undo = () => restore(connection.id).then(() => toast.done(`${name} restored, missed days will load`), toast.failed);
        toast.done(`${name} deleted`, { label: 'Undo', onClick: () => void undo() });
        onClose();
        onDeleted?.();
      }}
    />
  );
}
