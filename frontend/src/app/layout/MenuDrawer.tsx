import { Drawer } from '@mantine/core';
import { OrganizationSwitcher } from './OrganizationSwitcher';
import { NavigationLinks, OutsideLinks } from './Sidebar';
import styles from './TopBar.module.css';
import { UserMenu } from './UserMenu';

interface MenuDrawerProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The navigation of a phone. */
export default function MenuDrawer({ isOpen, onClose }: MenuDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="left"
      size={288}
      title="Menu"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={styles.drawer}>
        <OrganizationSwitcher />
        <NavigationLinks onNavigate={onClose} />
        <OutsideLinks />
        <UserMenu />
      </div>
    </Drawer>
  );
}
