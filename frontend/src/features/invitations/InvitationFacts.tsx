import type { InvitationPreview } from '~/api/types';
import { formatExact } from '~/lib/dates';
import { formatExpiryShort } from '~/domain/time/expiry';
import { roleMeaning, roleWords } from '~/domain/accounts/roles';
import { useNow } from '~/lib/use-now';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { OrganizationLogo } from '~/components/organization/OrganizationLogo';
import { UnverifiedMark } from '~/components/feedback/UnverifiedMark';
import styles from './Invitation.module.css';

export function InvitationFacts({ invitation }: { invitation: InvitationPreview }) {
  const now = useNow();
  const { organizationName, organizationLogo, inviterName, inviterEmail, isInviterVerified, email, role, expiresAt } = invitation;
  return (
    <>
      <div className={styles.head}>
        <OrganizationLogo name={organizationName} logo={organizationLogo} size={40} />
        <h1>Join {organizationName}</h1>
      </div>
      <p className={styles.lead}>
        <strong>{inviterName || inviterEmail}</strong> invites you to {organizationName}.
      </p>
      <DescriptionList
        facts={[
          { label: 'Organization', value: organizationName },
          {
            label: 'Invited by',
            value: (
              <>
                {inviterEmail} {!isInviterVerified && <UnverifiedMark />}
              </>
            ),
          },
          { label: 'Email', value: email },
          {
            label: 'Role',
            value: (
              <>
                {roleWords[role]} <span className={styles.meaning}>{roleMeaning[role]}</span>
              </>
            ),
          },
          {
            label: 'Expires',
            value: <time title={formatExact(expiresAt)}>{formatExpiryShort(expiresAt, now)}</time>,
          },
        ]}
      />
    </>
  );
}
