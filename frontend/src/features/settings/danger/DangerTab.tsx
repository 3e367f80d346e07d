import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useMembers } from '~/api/members';
import { useOrganizationProfile } from '~/api/organization';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Bone, Loading } from '~/ui/feedback/Bone';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './DangerTab.module.css';
import { DeleteDialog } from './DeleteDialog';
import { LeaveDialog } from './LeaveDialog';

interface DangerProps {
  label: string;
  closedBecause: string | null;
  Dialog: React.ComponentType<{ onClose: () => void }>;
}

function DangerButton({ label, closedBecause, Dialog }: DangerProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.action}>
      <Button
        variant="default"
        c={closedBecause === null ? 'var(--t-danger)' : undefined}
        disabled={closedBecause !== null}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      {closedBecause !== null && <LockedReason>{closedBecause}</LockedReason>}
      {isAsking && <Dialog onClose={() => setAsking(false)} />}
    </div>
  );
}

const Bones = () => (
  <Loading label="Loading settings">
    {['Leave', 'Delete'].map((title) => (
      <SettingRow key={title} title={title}>
        <Bone width={160} height={32} radius={6} />
      </SettingRow>
    ))}
  </Loading>
);

/** Why the reader cannot leave: a visitor is in no team, and the only owner holds it together. */
function useLeaveGate(): string | null {
  const organizationId = useOrganizationId();
  const closedBecause = usePermissionGate('members.leave');
  const { data } = useMembers(organizationId);
  const owners = data?.members.filter(({ role }) => role === 'owner') ?? [];
  if (closedBecause !== null) return closedBecause;
  return owners.length === 1 && owners[0]?.isYou ? 'You are the only owner: name another first' : null;
}

export function DangerTab() {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useOrganizationProfile(organizationId);
  const deleteClosed = usePermissionGate('organization.delete');
  const leaveClosed = useLeaveGate();
  if (error !== undefined && !data)
    return <ErrorNotice error={error} title="Your permissions could not be fetched" onRetry={() => void mutate()} />;
  if (!data) return <Bones />;
  return (
    <div className={styles.rows}>
      <SettingRow title="Leave" hint="You lose your access. What you set up goes on running.">
        <DangerButton label="Leave organization" closedBecause={leaveClosed} Dialog={LeaveDialog} />
      </SettingRow>
      <SettingRow title="Transfer" hint="An owner gives the organization to another member.">
        <p className="quiet">
          In <Link to={paths.settings(organizationId, { tab: 'team' })}>Team</Link>, from the menu of the member who takes it
          over.
        </p>
      </SettingRow>
      <SettingRow title="Delete" hint="For everybody in it. It can be restored for 30 days.">
        <DangerButton label="Delete organization" closedBecause={deleteClosed} Dialog={DeleteDialog} />
      </SettingRow>
    </div>
  );
}
