import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { Notice } from '~/ui/feedback/Notice';
import styles from './ApiKeys.module.css';

/** Shows a new key once. It is stored only in the memory of this page. */
export const NewKey = ({ apiKey, onDone }: { apiKey: string; onDone: () => void }) => (
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
      <code>{apiKey}</code>
      <CopyButton text={apiKey} label="Copy key" />
    </span>
  </Notice>
);
