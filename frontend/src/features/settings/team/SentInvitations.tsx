import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSentInvitations } from '~/api/invitations';
import type { SentInvitation } from '~/api/types';
import { plural } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Section } from '~/ui/layout/Page';
import { InvitationRow } from './InvitationRow';
import styles from './SentInvitations.module.css';

/** Pending and expired invitations need an action. Others are collapsed. */
const needsAction = ({ state }: SentInvitation): boolean => state === 'pending' || state === 'expired';

function Lists({ invitations }: { invitations: SentInvitation[] }) {
  const [isShowingEnded, setShowingEnded] = useState(false);
  const ended = invitations.filter((invitation) => !needsAction(invitation));
  const shown = isShowingEnded ? [...invitations.filter(needsAction), ...ended] : invitations.filter(needsAction);
  return (
    <>
      {shown.length === 0 && <p className={styles.none}>No pending invitations found</p>}
      {shown.length > 0 && (
        <ul className={styles.list}>
          {shown.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <Button variant="subtle" ml={-14} mt={8} onClick={() => setShowingEnded(!isShowingEnded)} aria-expanded={isShowingEnded}>
          {isShowingEnded ? 'Hide past invitations' : `Show ${plural(ended.length, 'past invitation')}`}
        </Button>
      )}
    </>
  );
}

export function SentInvitations() {
  const { data, error, mutate } = useSentInvitations(useOrganizationId());
  const pending = data?.items.filter(({ state }) => state === 'pending').length;
  return (
    <Section title="Invitations" aside={pending !== undefined && `${pending} pending`}>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load invitations"
        refreshError="notice with age"
        skeleton={<TableSkeleton label="Loading invitations" rows={2} widths={['30%', 160]} />}
      >
        {({ items }) => <Lists invitations={items} />}
      </LoadedContent>
    </Section>
  );
}
