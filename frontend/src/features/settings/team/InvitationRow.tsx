import { Button } from '@mantine/core';
import { useSWRConfig } from 'swr';
import { resendInvitation, revokeInvitation } from '~/api/invitations';
import { keys } from '~/api/http/keys';
import type { SentInvitation } from '~/api/types';
import { roleWords } from '~/domain/accounts/roles';
import { useAction } from '~/lib/use-action';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { useSession } from '~/session/session-context';
import { usePermissionGate } from '~/session/permissions';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { toast } from '~/components/feedback/toast';
import { UnverifiedMark } from '~/components/feedback/UnverifiedMark';
import { canResend, canRevoke, describeMail, describeState } from './describe-invitation';
import styles from './SentInvitations.module.css';

const VERIFY_FIRST = 'Verify your email address first';

function Actions({ invitation }: { invitation: SentInvitation }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('invitations.write');
  const { mutate } = useSWRConfig();
  const { run, busyWith } = useAction<'resend' | 'revoke'>({ onError: toast.failed });
  const act = (kind: 'resend' | 'revoke', change: () => Promise<unknown>, done: string) =>
    run(async () => {
      try {
        await change();
        toast.done(done);
      } finally {
        await mutate(keys.sentInvitations(organizationId));
      }
    }, kind);
  const { id, email } = invitation;
  const resend = () =>
    act(
      'resend',
      () => resendInvitation(organizationId, id),
      `Invitation resent to ${email}. The previous link no longer works.`,
    );
  const revoke = () => act('revoke', () => revokeInvitation(organizationId, id), `Invitation for ${email} revoked`);
  const { isEmailVerified } = useSession();
  if (disabledReason !== null && canResend(invitation)) return <LockedReason>{disabledReason}</LockedReason>;
  return (
    <span className={styles.actions}>
      {canResend(invitation) && (
        <Button
          size="xs"
          variant="subtle"
          loading={busyWith === 'resend'}
          disabled={!isEmailVerified}
          title={isEmailVerified ? undefined : VERIFY_FIRST}
          onClick={() => void resend()}
          aria-label={`Resend to ${email}`}
        >
          Resend
        </Button>
      )}
      {canRevoke(invitation) && (
        <Button
          size="xs"
          variant="subtle"
          loading={busyWith === 'revoke'}
          onClick={() => void revoke()}
          aria-label={`Revoke ${email}`}
        >
          Revoke
        </Button>
      )}
    </span>
  );
}

export function InvitationRow({ invitation }: { invitation: SentInvitation }) {
  const now = useNow();
  const mail = describeMail(invitation);
  return (
    <li className={styles.row}>
      <span className={styles.who}>
        <span className={styles.email}>{invitation.email}</span>
        <span className="label">
          {roleWords[invitation.role]}, invited by {invitation.inviterName || invitation.inviterEmail}{' '}
          {!invitation.isInviterVerified && <UnverifiedMark />}
        </span>
        {mail && <span className={styles.mail}>{mail}</span>}
      </span>
      <span className={styles.state}>{describeState(invitation, now)}</span>
      <Actions invitation={invitation} />
    </li>
  );
}
