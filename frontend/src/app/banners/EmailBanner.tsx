import { UnstyledButton } from '@mantine/core';
import { IconMailExclamation } from '@tabler/icons-react';
import { useUser } from '~/session/session-context';
import { useVerificationMail } from '~/session/use-verification-mail';
import { icon } from '~/ui/icon';
import styles from './SubscriptionBanner.module.css';

/** Shown above every page to users whose address is not verified. */
export default function EmailBanner() {
  const { email } = useUser();
  const { busy, feedback, isWaiting, send, check } = useVerificationMail();
  return (
    <aside className={styles.banner} data-tone="warn" aria-label="E-mail address">
      <IconMailExclamation {...icon} className={styles.icon} />
      <p className={styles.text}>
        <span role="status">{feedback ?? `Verify your e-mail address: open the link that was sent to ${email}.`}</span>
      </p>
      <UnstyledButton className={styles.action} disabled={busy !== null} onClick={() => void check()}>
        I have verified it
      </UnstyledButton>
      <UnstyledButton className={styles.action} disabled={busy !== null || isWaiting} onClick={() => void send()}>
        Resend
      </UnstyledButton>
    </aside>
  );
}
