import { Button } from '@mantine/core';
import { useAction } from '~/lib/use-action';
import { FormDialog } from '~/ui/layout/FormDialog';
import styles from './ConfirmDialog.module.css';
import { ErrorText } from './ErrorText';

export interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** A question with the name: `Delete Search FR?` */
  title: string;
  stops: React.ReactNode[];
  stays: React.ReactNode[];
  /** Until when the action can be undone. */
  note?: React.ReactNode;
  /** Repeats the verb of the title: `Delete connection` */
  confirmLabel: string;
  onConfirm: () => Promise<void>;
  /** Fields to complete before the confirmation. */
  children?: React.ReactNode;
  isReady?: boolean;
  /** False for actions that delete nothing. */
  isDangerous?: boolean;
}

const List = ({ title, items }: { title: string; items: React.ReactNode[] }) =>
  items.length === 0 ? null : (
    <div className={styles.block}>
      <h3>{title}</h3>
      <ul className={styles.list}>
        {items.map((item, index) => (
          <li key={index}>
            <span>{item}</span>
          </li>
        ))}
      </ul>
    </div>
  );

export function ConfirmDialog({ isOpen, onClose, title, stops, stays, note, ...rest }: ConfirmDialogProps) {
  const { confirmLabel, onConfirm, children, isReady = true, isDangerous = true } = rest;
  const { run, isBusy, error } = useAction();
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={title}>
      <List title="What stops" items={stops} />
      <List title="What stays" items={stays} />
      {note && <p className={styles.note}>{note}</p>}
      {children && <div className={styles.extra}>{children}</div>}
      {error !== null && <ErrorText error={error} />}
      <div className={styles.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color={isDangerous ? 'red' : undefined} onClick={() => void run(onConfirm)} loading={isBusy} disabled={!isReady}>
          {confirmLabel}
        </Button>
      </div>
    </FormDialog>
  );
}
