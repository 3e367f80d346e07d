import { Menu } from '@mantine/core';
import { IconCheck, IconPlus, IconSearch, IconSelector } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganization } from '~/session/organization-context';
import { useUser } from '~/session/session-context';
import { icon } from '~/ui/icon';
import { OrganizationLogo } from '~/components/organization/OrganizationLogo';
import styles from './OrganizationSwitcher.module.css';

const CreateOrganizationDialog = lazy(() => import('~/features/organizations/CreateOrganizationDialog'));

/** Platform staff see thousands. The page of all organizations has a search. */
const MAX_SHOWN = 20;

const connectionsText = (count: number) => (count === 0 ? 'No connections' : plural(count, 'connection'));

export function OrganizationSwitcher() {
  const { id, document } = useOrganization();
  const organizations = useUser().organizations ?? [];
  const entry = organizations.find(({ organizationId }) => organizationId === id);
  const name = document?.company_name ?? entry?.companyName ?? '';
  const count = document?.connections_count ?? entry?.connectionsCount;
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Menu position="bottom-start" width={256} withinPortal={false} floatingStrategy="fixed">
        <Menu.Target>
          <button type="button" className={styles.switcher}>
            <OrganizationLogo name={name} logo={document?.company_logo ?? entry?.logo ?? null} />
            <span className={styles.text}>
              <span className={styles.name}>{name || ' '}</span>
              <span className={styles.count}>{count === undefined ? ' ' : connectionsText(count)}</span>
            </span>
            <span className="visually-hidden">Switch organization</span>
            <IconSelector {...icon} size={14} className={styles.selector} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {organizations.slice(0, MAX_SHOWN).map((organization) => (
            <Menu.Item
              key={organization.organizationId}
              component={Link}
              to={paths.connections(organization.organizationId)}
              leftSection={<OrganizationLogo name={organization.companyName} logo={organization.logo} size={20} />}
              rightSection={organization.organizationId === id ? <IconCheck {...icon} /> : null}
            >
              {organization.companyName}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item component={Link} to={paths.organizations()} leftSection={<IconSearch {...icon} />}>
            All organizations
          </Menu.Item>
          <Menu.Item onClick={() => setCreating(true)} leftSection={<IconPlus {...icon} />}>
            Create organization
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isCreating && (
        <Suspense>
          <CreateOrganizationDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}
