import { ActionIcon, Drawer } from '@mantine/core';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useOrganization } from '~/session/organization-context';
import { useUser } from '~/session/session-context';
import { Logo } from '~/ui/data/Logo';
import { OrganizationSwitcher } from './OrganizationSwitcher';
import { OutsideLinks, NavigationLinks } from './Sidebar';
import styles from './TopBar.module.css';
import { UserMenu } from './UserMenu';

/** Replaces the sidebar below 768 px: a bar and a drawer. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  const { id, document } = useOrganization();
  const { organization } = useUser();
  const [isOpen, setOpen] = useState(false);
  return (
    <header className={styles.bar}>
      <ActionIcon size={36} onClick={() => setOpen(true)} aria-label="Open the menu">
        <IconMenu2 size={20} stroke={1.75} />
      </ActionIcon>
      <Link to={paths.connections(id)} className={styles.home}>
        <Logo size={20} />
        <span className={styles.name}>{document?.company_name ?? organization?.name ?? 'Tributary'}</span>
      </Link>
      <ActionIcon size={36} onClick={onSearch} aria-label="Search or jump to">
        <IconSearch size={20} stroke={1.75} />
      </ActionIcon>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        position="left"
        size={288}
        title="Menu"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <div className={styles.drawer}>
          <OrganizationSwitcher />
          <NavigationLinks onNavigate={() => setOpen(false)} />
          <OutsideLinks />
          <UserMenu />
        </div>
      </Drawer>
    </header>
  );
}
