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
import { DeleteOrganizationDialog } from './DeleteOrganizationDialog';
import { LeaveDialog } from './LeaveDialog';

interface DangerProps {
  label: string;
  disabledReason: string | null;
  Dialog: React.ComponentType<{ onClose: () => void }>;
}

function DangerButton({ label, disabledReason, Dialog }: DangerProps) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <div className={styles.action}>
      <Button
        variant="default"
        c={disabledReason === null ? 'var(--t-danger)' : undefined}
        disabled={disabledReason !== null}
        onClick={() => setConfirming(true)}
      >
        {label}
      </Button>
      {disabledReason !== null && <LockedReason>{disabledReason}</LockedReason>}
      {isConfirming && <Dialog onClose={() => setConfirming(false)} />}
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

/** Reason why the user cannot leave: platform staff are not members, and the last owner cannot leave. */
function useLeaveGate(): string | null {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('members.leave');
  const { data } = useMembers(organizationId);
  const owners = data?.members.filter(({ role, isDisabled }) => role === 'owner' && !isDisabled) ?? [];
  if (disabledReason !== null) return disabledReason;
  return owners.length === 1 && owners[0]?.isYou ? 'Last owner: make someone else an owner first' : null;
}

export function DangerTab() {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useOrganizationProfile(organizationId);
  const deleteClosed = usePermissionGate('organization.delete');
  const leaveClosed = useLeaveGate();
  if (error !== undefined && !data)
    return <ErrorNotice error={error} title="Couldn’t load your permissions" onRetry={() => void mutate()} />;
  if (!data) return <DangerSkeleton />;
  return (
    <div className={styles.rows}>
      <SettingRow title="Leave" hint="You lose your access. Connections you created continue to run.">
        <DangerButton label="Leave organization" disabledReason={leaveClosed} Dialog={LeaveDialog} />
      </SettingRow>
      <SettingRow title="Transfer" hint="Transfers ownership to another member.">
        <p className="quiet">
          Go to <Link to={paths.settings(organizationId, { tab: 'team' })}>Team</Link> and open the menu of the new owner.
        </p>
      </SettingRow>
      <SettingRow title="Delete" hint="Deletes the organization for all members. You can restore it for 30 days.">
        <DangerButton label="Delete organization" disabledReason={deleteClosed} Dialog={DeleteOrganizationDialog} />
      </SettingRow>
    </div>
  );
}
