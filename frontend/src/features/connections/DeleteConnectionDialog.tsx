import { plural } from '../../lib/numbers';
import { restorableNote } from '../../lib/restorable';
import { describeSchedule } from '../../lib/schedule';
import type { Connection } from '../../api/types';
import { useConnectionActions } from '../../api/use-connection-actions';
import { useOrganizationId } from '../../session/organization-context';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { providerName } from '../../ui/ProviderMark';
import { toast } from '../../ui/toast';

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
        ...(connection.activeRun ? ['The run that is under way'] : []),
      ]}
      stays={[
        <>
          Every row in {providerName(destination.provider)}, in {plural(tables, 'table')} of <code>{destination.target}</code>
        </>,
        `The source ${source.name} and the ${providerName(source.provider)} sign-in`,
        `The destination ${destination.name}`,
      ]}
      note={restorableNote(new Date())}
      confirmLabel="Delete connection"
      onConfirm={async () => {
        await remove(connection.id);
        const undo = () => restore(connection.id).then(() => toast.done(`${name} is back and catches up`), toast.failed);
        toast.done(`${name} deleted`, { label: 'Undo', onClick: () => void undo() });
        onClose();
        onDeleted?.();
      }}
    />
  );
}
