import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconTrash } from '@tabler/icons-react';
import { icon } from '~/ui/icon';
import { MenuAction } from '~/ui/inputs/MenuAction';
import { MenuReason } from '~/ui/inputs/MenuReason';

interface MoreMenuProps {
  /** In the row of a list: the name of what the menu belongs to. */
  rowName?: string;
  deleteLabel: string;
  lockedReason: string | null;
  onDelete: () => void;
  /** Items before the last one, which deletes. */
  children?: React.ReactNode;
}

/** The menu of a page or a row. The last line says why items are locked. */
export const MoreMenu = ({ rowName, deleteLabel, lockedReason, onDelete, children }: MoreMenuProps) => (
  <Menu>
    <Menu.Target>
      {rowName === undefined ? (
        <ActionIcon variant="default" size={32} aria-label="More">
          <IconDots {...icon} />
        </ActionIcon>
      ) : (
        <ActionIcon aria-label={`More for ${rowName}`}>
          <IconDots {...icon} />
        </ActionIcon>
      )}
    </Menu.Target>
    <Menu.Dropdown>
      {children}
      {rowName !== undefined && <Menu.Divider />}
      <MenuAction icon={IconTrash} isDestructive isLocked={lockedReason !== null} onClick={onDelete}>
        {deleteLabel}
      </MenuAction>
      <MenuReason>{lockedReason}</MenuReason>
    </Menu.Dropdown>
  </Menu>
);
