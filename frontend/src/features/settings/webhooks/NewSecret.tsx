import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Notice } from '~/ui/feedback/Notice';
import { CopyButton } from '~/ui/inputs/CopyButton';
import styles from './Webhooks.module.css';

/** Shows a signing secret once. It is stored only in the memory of this page. */
export const NewSecret = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <Notice
    tone="accent"
    icon={IconKey}
    title="Copy the signing secret now"
    isAlert
    actions={
      <Button variant="default" onClick={onDone}>
        Done
      </Button>
    }
  >
    You won’t see this secret again. It verifies that a request comes from Tributary.
    <span className={styles.secret}>
      <code>{secret}</code>
      <CopyButton text={secret} label="Copy secret" />
    </span>
  </Notice>
);
