import { Menu } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { icon } from '~/ui/icon';

interface MenuActionProps {
  icon: Icon;
  isLocked?: boolean;
  isDestructive?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

/**
 * An item of a menu. A locked one can have the focus: a menu whose first item cannot have it could not be closed by Esc, and its
 * reason not be read.
 */
export const MenuAction = ({ icon: ItemIcon, isLocked = false, isDestructive = false, onClick, children }: MenuActionProps) => (
  <Menu.Item
    leftSection={<ItemIcon {...icon} />}
    color={isDestructive ? 'var(--t-danger)' : undefined}
    data-disabled={isLocked || undefined}
    aria-disabled={isLocked || undefined}
    onClick={isLocked ? undefined : onClick}
  >
    {children}
  </Menu.Item>
);
