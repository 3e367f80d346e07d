import { Select } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import type { Member, MemberRole } from '~/api/types';
import { isRole, roleOptions, roleWords } from '~/domain/accounts/roles';
import { useOrganizationId } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import { PersonMark } from '~/components/organization/OrganizationLogo';
import { RelativeTime } from '~/ui/data/RelativeTime';
import table from '~/ui/layout/Table.module.css';
import { toast } from '~/components/feedback/toast';
import { UnverifiedMark } from '~/components/feedback/UnverifiedMark';
import { LowerRoleDialog } from './LowerRoleDialog';
import { MemberMenu } from './MemberMenu';
import { lowersRole, offeredRoles, whyRoleFixed } from './member-rules';
import type { TeamFacts } from './member-rules';
import styles from './Team.module.css';
import { nameOf, useTeamActions } from './use-team-actions';

interface MemberRowProps {
  member: Member;
  facts: TeamFacts;
}

/** `an admin`, `a viewer` */
const withArticle = (role: string): string => `${/^[aeo]/.test(role) ? 'an' : 'a'} ${role}`;

function RoleChoice({ member, facts }: MemberRowProps) {
  const { changeRole } = useTeamActions(useOrganizationId());
  const [lowered, setLowered] = useState<MemberRole | null>(null);
  const lockedReason = whyRoleFixed(member, facts);
  if (lockedReason !== null)
    return (
      <span className={styles.fixedRole}>
        <span title={lockedReason}>
          {roleWords[member.role]}
          <IconLock {...icon} size={14} />
        </span>
        <span className={styles.reason}>{lockedReason}</span>
      </span>
    );
  const change = async (role: MemberRole) => {
    await changeRole(member, role);
    toast.done(`${nameOf(member)} is now ${withArticle(roleWords[role].toLowerCase())}`);
  };
  return (
    <>
      <Select
        className={styles.roleSelect}
        classNames={{ input: styles.roleInput }}
        aria-label={`Role of ${nameOf(member)}`}
        data={roleOptions(offeredRoles(facts))}
        value={member.role}
        comboboxProps={{ width: 140, position: 'bottom-start' }}
        onChange={(role) => {
          if (!isRole(role) || role === member.role) return;
          if (lowersRole(member, role)) setLowered(role);
          else void change(role).catch(toast.failed);
        }}
      />
      {lowered && (
        <LowerRoleDialog member={member} to={lowered} onConfirm={() => change(lowered)} onClose={() => setLowered(null)} />
      )}
    </>
  );
}

export const MemberRow = ({ member, facts }: MemberRowProps) => (
  <tr>
    <td>
      <span className={styles.person}>
        <PersonMark name={nameOf(member)} photo={member.photoURL} size={28} />
        <span className={styles.texts}>
          <span className={table.name}>
            {nameOf(member)} {member.isYou && <span className={styles.you}>(you)</span>}
            {member.isDisabled && <span className={styles.you}>(disabled)</span>}
          </span>
          <span className={table.second}>
            {member.email} {!member.isEmailVerified && <UnverifiedMark />}
          </span>
        </span>
      </span>
    </td>
    <td className={styles.roleCell}>
      <RoleChoice member={member} facts={facts} />
    </td>
    <td className={styles.active}>{member.isYou ? 'Now' : <RelativeTime at={member.lastActiveAt} />}</td>
    <td className={table.fit}>
      <MemberMenu member={member} facts={facts} />
    </td>
  </tr>
);
