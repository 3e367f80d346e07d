import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { Notice } from '~/ui/feedback/Notice';
import styles from './ApiKeys.module.css';

/** The one time a key is seen. It lives in this page's memory only. */
export const NewKey = ({ apiKey, onDone }: { apiKey: string; onDone: () => void }) => (
  <Notice
    tone="accent"
    icon={IconKey}
    title="Copy the key now"
    isAlert
    actions={
      <Button variant="default" onClick={onDone}>
        I have copied it
      </Button>
    }
  >
    It is stored as a fingerprint only and cannot be shown again.
    <span className={styles.key}>
      <code>{apiKey}</code>
      <CopyButton text={apiKey} label="Copy the key" />
    </span>
  </Notice>
);
