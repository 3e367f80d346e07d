import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useMembers } from '~/api/members';
import { useOrganizationId } from '~/session/organization-context';
import { Notice } from '~/ui/feedback/Notice';

const MAX_NAMES = 2;
const names = new Intl.ListFormat('en', { type: 'disjunction' });

interface RoleNoticeProps {
  /** `Requires the Editor role` */
  reason: string;
  back: { label: string; to: string };
  children: React.ReactNode;
}

/** Replaces a page that the user has no permission for: the required role, who can grant it, and the way back. */
export function RoleNotice({ reason, back, children }: RoleNoticeProps) {
  const { data } = useMembers(useOrganizationId());
  const granting = (data?.members ?? [])
    .filter(({ role }) => role === 'owner' || role === 'admin')
    .slice(0, MAX_NAMES)
    .map(({ fullName, email }) => fullName || email);
  return (
    <Notice
      tone="warn"
      icon={IconLock}
      title={reason}
      actions={
        <Button variant="default" component={Link} to={back.to}>
          {back.label}
        </Button>
      }
    >
      {children} {granting.length > 0 && `Ask ${names.format(granting)} to change your role.`}
    </Notice>
  );
}
