import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useMembers } from '~/api/members';
import { useOrganizationProfile } from '~/api/organization';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './DangerTab.module.css';
import { DeleteDialog } from './DeleteDialog';
import { LeaveDialog } from './LeaveDialog';

interface DangerProps {
  label: string;
  disabledReason: string | null;
  Dialog: React.ComponentType<{ onClose: () => void }>;
}

function DangerButton({ label, disabledReason, Dialog }: DangerProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.action}>
      <Button
        variant="default"
        c={disabledReason === null ? 'var(--t-danger)' : undefined}
        disabled={disabledReason !== null}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      {disabledReason !== null && <LockedReason>{disabledReason}</LockedReason>}
      {isAsking && <Dialog onClose={() => setAsking(false)} />}
    </div>
  );
}

const DangerSkeleton = () => (
  <Loading label="Loading settings">
    {['Leave', 'Delete'].map((title) => (
      <SettingRow key={title} title={title}>
        <Skeleton width={160} height={32} radius={6} />
      </SettingRow>
    ))}
  </Loading>
);

/** Why the reader cannot leave: a visitor is in no team, and the only owner holds it together. */
function useLeaveGate(): string | null {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('members.leave');
  const { data } = useMembers(organizationId);
  const owners = data?.members.filter(({ role }) => role === 'owner') ?? [];
  if (disabledReason !== null) return disabledReason;
  return owners.length === 1 && owners[0]?.isYou ? 'You are the only owner: name another first' : null;
}

export function DangerTab() {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useOrganizationProfile(organizationId);
  const deleteClosed = usePermissionGate('organization.delete');
  const leaveClosed = useLeaveGate();
  if (error !== undefined && !data)
    return <ErrorNotice error={error} title="Your permissions could not be fetched" onRetry={() => void mutate()} />;
  if (!data) return <DangerSkeleton />;
  return (
    <div className={styles.rows}>
      <SettingRow title="Leave" hint="You lose your access. What you set up goes on running.">
        <DangerButton label="Leave organization" disabledReason={leaveClosed} Dialog={LeaveDialog} />
      </SettingRow>
      <SettingRow title="Transfer" hint="An owner gives the organization to another member.">
        <p className="quiet">
          In <Link to={paths.settings(organizationId, { tab: 'team' })}>Team</Link>, from the menu of the member who takes it
          over.
        </p>
      </SettingRow>
      <SettingRow title="Delete" hint="For everybody in it. It can be restored for 30 days.">
        <DangerButton label="Delete organization" disabledReason={deleteClosed} Dialog={DeleteDialog} />
      </SettingRow>
    </div>
  );
}
