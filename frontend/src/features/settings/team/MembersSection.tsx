import { useMembers } from '~/api/members';
import { useOrganizationProfile } from '~/api/organization';
import type { Member } from '~/api/types';
import { formatCount } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import { countOwners } from './member-rules';
import type { TeamFacts } from './member-rules';
import { MemberRow } from './MemberRow';
import styles from './Team.module.css';

const MembersTable = ({ members, facts }: { members: Member[]; facts: TeamFacts }) => (
  <table className={`${table.table} ${styles.members}`} data-rows="two">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Role</th>
        <th scope="col">Last active</th>
        <th scope="col">
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {members.map((member) => (
        <MemberRow key={member.userId} member={member} facts={facts} />
      ))}
    </tbody>
  </table>
);

export function MembersSection() {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useMembers(organizationId);
  const { data: organization } = useOrganizationProfile(organizationId);
  const disabledReason = usePermissionGate('members.write');
  const members = data?.members;
  const facts: TeamFacts = {
    ownRole: organization?.role ?? 'viewer',
    ownersCount: countOwners(members ?? []),
    disabledReason,
  };
  return (
    <Section title="Members" aside={members && formatCount(members.length)}>
      <LoadedContent
        data={organization && members}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load members"
        refreshError="notice with age"
        skeleton={<TableSkeleton label="Loading members" rows={3} widths={['34%', 90, 80]} />}
      >
        {(loaded) => <MembersTable members={loaded} facts={facts} />}
      </LoadedContent>
    </Section>
  );
}
