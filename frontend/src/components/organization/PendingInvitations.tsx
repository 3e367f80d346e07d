import { Button } from '@mantine/core';
import { usePendingInvitations } from '~/api/invitations';
import type { PendingInvitation } from '~/api/types';
import { formatExpiry } from '~/domain/time/expiry';
import { roleWords } from '~/domain/accounts/roles';
import { useAction } from '~/lib/use-action';
import { useNow } from '~/lib/use-now';
import { ErrorText } from '~/components/feedback/ErrorText';
import { OrganizationLogo } from './OrganizationLogo';
import { UnverifiedMark } from '~/components/feedback/UnverifiedMark';
import styles from './OfferedOrganizations.module.css';
import { useUser } from '~/session/session-context';
import { useInvitationAnswers } from '~/components/organization/use-invitation-answers';

function Row({ invitation }: { invitation: PendingInvitation }) {
  const now = useNow();
  const { accept, reject } = useInvitationAnswers();
  const { run, busyWith, error } = useAction<'accept' | 'reject'>();
  const { organizationName, organizationLogo, role, inviterEmail, isInviterVerified, expiresAt } = invitation;
  return (
    <li className={styles.item}>
      <div className={styles.row}>
        <OrganizationLogo name={organizationName} logo={organizationLogo} size={32} />
        <span className={styles.texts}>
          <span className={styles.name}>{organizationName}</span>
          <span className="label">
            {roleWords[role]}, invited by {inviterEmail}. {!isInviterVerified && <UnverifiedMark />}{' '}
            {formatExpiry(expiresAt, now)}
          </span>
        </span>
        <span className={styles.actions}>
          <Button
            variant="default"
            loading={busyWith === 'accept'}
            onClick={() => void run(() => accept(invitation), 'accept')}
            aria-label={`Join ${organizationName}`}
          >
            Join
          </Button>
          <Button
            variant="subtle"
            loading={busyWith === 'reject'}
            onClick={() => void run(() => reject(invitation), 'reject')}
            aria-label={`Decline the invitation to ${organizationName}`}
          >
            Decline
          </Button>
        </span>
      </div>
      {error !== null && <ErrorText error={error} />}
    </li>
  );
}

/** The user's open invitations. Renders nothing when there are none. */
export function PendingInvitations() {
  const { data, error } = usePendingInvitations(useUser().email);
  if (error !== undefined && !data) return <ErrorText error={error} />;
  if (!data || data.invitations.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Invitations">
      <h2>Invitations</h2>
      <ul className={styles.list}>
        {data.invitations.map((invitation) => (
          <Row key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </section>
  );
}
