import { Button } from '@mantine/core';
import { useSession, useUser } from '~/session/session-context';
import { useVerificationMail } from '~/session/use-verification-mail';
import { SettingRow } from '~/ui/layout/SettingRow';
import { UnverifiedMark } from '~/components/feedback/UnverifiedMark';
import styles from './Account.module.css';

function Verification() {
  const { busyWith, feedback, isWaiting, send, check } = useVerificationMail();
  return (
    <>
      <p className="quiet">
        Open the link in the email we sent you. You cannot invite people or choose a plan until your address is verified.
      </p>
      <div className={styles.actions}>
        <Button variant="default" loading={busyWith === 'check'} onClick={() => void check()}>
          Check again
        </Button>
        <Button variant="subtle" loading={busyWith === 'send'} disabled={isWaiting} onClick={() => void send()}>
          Resend email
        </Button>
      </div>
      <p role="status">{feedback}</p>
    </>
  );
}

export function EmailRow() {
  const { email } = useUser();
  const { isEmailVerified } = useSession();
  return (
    <SettingRow title="Email address" hint="Used to sign in. Members of your organizations see it.">
      <div className={styles.stack}>
        <p>
          {email} {isEmailVerified ? <span className="label">verified</span> : <UnverifiedMark />}
        </p>
        {!isEmailVerified && <Verification />}
      </div>
    </SettingRow>
  );
}
