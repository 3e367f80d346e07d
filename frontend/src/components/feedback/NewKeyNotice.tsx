import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { Notice } from '~/ui/feedback/Notice';
import styles from './NewKeyNotice.module.css';

/** Shows a new key once. It is stored only in the memory of the page. */
export const NewKeyNotice = ({ value, onDone }: { value: string; onDone: () => void }) => (
  <Notice
    tone="accent"
    icon={IconKey}
    title="Copy the key now"
    isAlert
    actions={
      <Button variant="default" onClick={onDone}>
        Done
      </Button>
    }
  >
    We store only a hash. You won’t see this key again.
    <span className={styles.key}>
      <code>{value}</code>
      <CopyButton text={value} label="Copy key" />
    </span>
  </Notice>
);
