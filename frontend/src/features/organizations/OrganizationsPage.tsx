import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { OrganizationEntry } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { formatCount } from '~/lib/numbers';
import { useTitle } from '~/lib/use-title';
import { DeletedOrganizations } from '~/components/organization/DeletedOrganizations';
import { PendingInvitations } from '~/components/organization/PendingInvitations';
import { useSession, useUser } from '~/session/session-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { icon } from '~/ui/icon';
import CreateOrganizationDialog from './CreateOrganizationDialog';
import { OrganizationRow } from './OrganizationRow';
import styles from './OrganizationsPage.module.css';

/** Minimum number of organizations to show the search field. */
const SEARCH_FROM = 6;
/** Platform staff see thousands of organizations, which take seconds to render. */
const MAX_SHOWN = 100;

function List({ organizations }: { organizations: OrganizationEntry[] }) {
  const [search, setSearch] = useState('');
  const found = organizations.filter(({ companyName }) => companyName.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <>
      {organizations.length >= SEARCH_FROM && (
        <TextInput
          aria-label="Search organizations"
          placeholder="Search organizations"
          leftSection={<IconSearch {...icon} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          mb={12}
        />
      )}
      <ul className={styles.list}>
        {found.slice(0, MAX_SHOWN).map((organization) => (
          <OrganizationRow key={organization.organizationId} organization={organization} />
        ))}
      </ul>
      {found.length > MAX_SHOWN && (
        <p className={styles.more}>{formatCount(found.length - MAX_SHOWN)} more. Search to find them.</p>
      )}
      {found.length === 0 && <p className="quiet">No results for “{search}”</p>}
    </>
  );
}

export default function OrganizationsPage() {
  useTitle('Organizations');
  const { organizationsError, refreshOrganizations } = useSession();
  const { organizations, super_admin: isSuperAdmin } = useUser();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <header className={styles.header}>
        <div>
          <h1>Organizations</h1>
          {isSuperAdmin && (
            <p className="label">
              As platform staff, you can see all organizations. <Link to={paths.people()}>View people</Link>
            </p>
          )}
        </div>
        <Button variant="default" leftSection={<IconPlus {...icon} />} onClick={() => setCreating(true)}>
          Create organization
        </Button>
      </header>
      <PendingInvitations />
      <LoadedContent
        data={organizations ?? undefined}
        error={organizationsError ?? undefined}
        reload={refreshOrganizations}
        errorTitle="Couldn’t load organizations"
        skeleton={<TableSkeleton label="Loading organizations" rows={3} widths={[32, '50%', 90]} />}
      >
        {(loaded) => <List organizations={loaded} />}
      </LoadedContent>
      <DeletedOrganizations />
      {isCreating && <CreateOrganizationDialog onClose={() => setCreating(false)} />}
    </>
  );
}
