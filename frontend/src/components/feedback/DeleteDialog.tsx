import { restorableNote } from '~/domain/time/restorable';
import { ConfirmDialog } from './ConfirmDialog';
import type { ConfirmDialogProps } from './ConfirmDialog';
import { toast } from './toast';

interface DeleteDialogProps extends Pick<ConfirmDialogProps, 'stops' | 'stays' | 'note' | 'isReady' | 'children' | 'onClose'> {
  name: string;
  /** Default: `Delete Search FR?` */
  title?: string;
  /** `source`, as in `Delete source` */
  kind: string;
  onDelete: () => Promise<unknown>;
  /** Leaves the pages of the deleted item. */
  onDeleted: () => unknown;
  onRestore: () => Promise<unknown>;
  /** The message after a restore; null if the restored item is opened instead. */
  restoredMessage?: string | null;
}

/** Confirms the deletion of an item that can be restored. After the deletion, a message offers to undo it. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { name, kind, onDelete, onDeleted, onRestore, restoredMessage = `${name} restored`, ...rest } = props;
  const { title = `Delete ${name}?`, note, ...dialog } = rest;
  const restore = async () => {
    try {
      await onRestore();
      if (restoredMessage !== null) toast.done(restoredMessage);
    } catch (error) {
      toast.failed(error);
    }
  };
  return (
    <ConfirmDialog
      {...dialog}
      isOpen
      title={title}
      note={note ?? restorableNote(new Date())}
      confirmLabel={`Delete ${kind}`}
      onConfirm={async () => {
        await onDelete();
        toast.done(`${name} deleted`, { label: 'Undo', onClick: () => void restore() });
        await onDeleted();
      }}
    />
  );
}
