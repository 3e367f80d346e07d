import { UnstyledButton } from '@mantine/core';
import { IconMailExclamation } from '@tabler/icons-react';
import { useUser } from '~/session/session-context';
import { useVerificationMail } from '~/session/use-verification-mail';
import { icon } from '~/ui/icon';
import styles from './SubscriptionBanner.module.css';

/** Shown above all pages to users with an unverified email address. */
export default function EmailBanner() {
  const { email } = useUser();
  const { busyWith, feedback, isWaiting, send, check } = useVerificationMail();
  return (
    <aside className={styles.banner} data-tone="warn" aria-label="Email address">
      <IconMailExclamation {...icon} className={styles.icon} />
      <p className={styles.text}>
        <span role="status">{feedback ?? `Verify your email address: open the link that was sent to ${email}.`}</span>
      </p>
      <UnstyledButton className={styles.action} disabled={busyWith !== null} onClick={() => void check()}>
        I’ve verified it
      </UnstyledButton>
      <UnstyledButton className={styles.action} disabled={busyWith !== null || isWaiting} onClick={() => void send()}>
        Resend
      </UnstyledButton>
    </aside>
  );
}
