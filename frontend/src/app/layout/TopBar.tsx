import { ActionIcon } from '@mantine/core';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useOrganization } from '~/session/organization-context';
import { useUser } from '~/session/session-context';
import { Logo } from '~/ui/data/Logo';
import styles from './TopBar.module.css';

const MenuDrawer = lazy(() => import('./MenuDrawer'));

/** Replaces the sidebar below 768 px: a bar and a drawer. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  const { id, document } = useOrganization();
  const { organization } = useUser();
  const [isOpen, setOpen] = useState(false);
  // The closed drawer stays for its transition.
  const [wasOpened, setOpened] = useState(false);
  const openMenu = () => {
    setOpened(true);
    setOpen(true);
  };
  return (
    <header className={styles.bar}>
      <ActionIcon size={36} onClick={openMenu} aria-label="Open the menu">
        <IconMenu2 size={20} stroke={1.75} />
      </ActionIcon>
      <Link to={paths.connections(id)} className={styles.home}>
        <Logo size={20} />
        <span className={styles.name}>{document?.company_name ?? organization?.name ?? 'Tributary'}</span>
      </Link>
      <ActionIcon size={36} onClick={onSearch} aria-label="Search or jump to">
        <IconSearch size={20} stroke={1.75} />
      </ActionIcon>
      {wasOpened && (
        <Suspense>
          <MenuDrawer isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </header>
  );
}
