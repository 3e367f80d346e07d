import { Button, Modal } from '@mantine/core';
import styles from '~/components/feedback/ConfirmDialog.module.css';

interface LeaveDialogProps {
  onStay: () => void;
  onLeave: () => void;
}

export default function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  return (
    <Modal opened onClose={onStay} title="Discard unsaved changes?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <p className={styles.note}>Your changes on this page are not saved.</p>
      <div className={styles.buttons}>
        <Button variant="default" onClick={onStay} data-autofocus>
          Keep editing
        </Button>
        <Button color="red" onClick={onLeave}>
          Discard changes
        </Button>
      </div>
    </Modal>
  );
}
