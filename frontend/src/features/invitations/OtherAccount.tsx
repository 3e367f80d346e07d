import type { InvitationPreview } from '~/api/types';
import { useUser } from '~/session/session-context';
import { Notice } from '~/ui/feedback/Notice';
import styles from './Invitation.module.css';
import { SwitchAccount } from './SwitchAccount';

export function OtherAccount({ invitation }: { invitation: InvitationPreview }) {
  const { email } = useUser();
  return (
    <div className={styles.notice}>
      <Notice tone="warn" title={`This invitation is for ${invitation.email}`} actions={<SwitchAccount />}>
        You are signed in as {email}. Switch account to sign out and return to this invitation.
      </Notice>
    </div>
  );
}
