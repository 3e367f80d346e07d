import { Modal } from '@mantine/core';
import { useState } from 'react';

interface FormDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: React.ReactNode;
}

/** A dialog with fields. After input, only its buttons close it: Escape or a click beside it would discard the input. */
export function FormDialog({ opened, onClose, title, children }: FormDialogProps) {
  const [hasInput, setInput] = useState(false);
  if (!opened && hasInput) setInput(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
      closeOnEscape={!hasInput}
      closeOnClickOutside={!hasInput}
      onInput={() => setInput(true)}
    >
      {children}
    </Modal>
  );
}
